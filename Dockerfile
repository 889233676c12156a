# Builds a virtual environment from the hashed lock and leaves everything else behind.
FROM python:3.13-slim AS build
RUN python -m venv /opt/memora
ENV PATH=/opt/memora/bin:$PATH
WORKDIR /src
COPY requirements.lock ./
RUN pip install --no-cache-dir --require-hashes --only-binary :all: --requirement requirements.lock
COPY pyproject.toml README.md LICENSE ./
COPY bot bot
COPY adapters adapters
RUN pip install --no-cache-dir --no-deps --no-build-isolation .
# tiktoken's vocabulary, so that no start needs a download.
RUN python -m bot.memory.vocabulary /opt/memora/vocabulary
# Nothing is installed any more from here on.
RUN pip uninstall --yes hatchling pip

# The root file system may be read-only: only /data is written, and /tmp for what SQLite puts aside.
FROM python:3.13-slim
RUN useradd --uid 10001 --user-group --no-create-home --home-dir /data --shell /usr/sbin/nologin memora
RUN mkdir --mode 0700 /data
RUN chown 10001:10001 /data
COPY --from=build /opt/memora /opt/memora
ENV PATH=/opt/memora/bin:$PATH
ENV PYTHONDONTWRITEBYTECODE=1
ENV TIKTOKEN_CACHE_DIR=/opt/memora/vocabulary
ENV MEMORA_STORAGE__PATH=/data/memora.db
# A config.toml is read from here, if one is mounted.
WORKDIR /etc/memora
USER 10001:10001
VOLUME /data
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=60s --timeout=20s --start-period=30s CMD ["memora", "check", "--running"]
ENTRYPOINT ["memora"]
CMD ["run"]
