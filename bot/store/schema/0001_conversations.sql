-- The log and what is derived from it. Times are UTC in ISO 8601 with microseconds, so that they sort as text.

-- What people said, what is noted of it and what they are called: everything that has to vanish when it is
-- erased. Rows are only added at the end and overwritten in place, never moved, resized or deleted.
CREATE TABLE texts (
    id   INTEGER PRIMARY KEY AUTOINCREMENT,
    text TEXT NOT NULL
);

-- One row for each wall. `summary_id` is the current summary: its `last` is the watermark, which is kept
-- nowhere else. `live` counts the messages of this epoch that may be used (the triggers below keep it, so that
-- a turn need not count the log). `changes` numbers the edits, so that what came first never depends on clocks.
CREATE TABLE conversations (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    platform    TEXT NOT NULL,
    account     TEXT NOT NULL,
    chat        TEXT NOT NULL,
    thread      TEXT NOT NULL,
    kind        TEXT NOT NULL,
    title       TEXT NOT NULL,
    epoch       INTEGER NOT NULL DEFAULT 1,
    summary_id  INTEGER REFERENCES summaries (id),
    live        INTEGER NOT NULL DEFAULT 0 CHECK (live >= 0),
    changes     INTEGER NOT NULL DEFAULT 0,
    failures    INTEGER NOT NULL DEFAULT 0,
    error_id    INTEGER REFERENCES texts (id),
    next_try    TEXT,
    UNIQUE (platform, account, chat, thread)
);

-- A chat that the platform gave a new id: what still arrives under the old one belongs to the new one.
CREATE TABLE moves (
    platform    TEXT NOT NULL,
    account     TEXT NOT NULL,
    chat        TEXT NOT NULL,
    new_account TEXT NOT NULL,
    new_chat    TEXT NOT NULL,
    PRIMARY KEY (platform, account, chat)
) WITHOUT ROWID;

-- The people of a conversation, numbered by first appearance; 0 is the bot.
CREATE TABLE members (
    conversation_id INTEGER NOT NULL REFERENCES conversations (id),
    number          INTEGER NOT NULL,
    speaker_id      TEXT NOT NULL,
    name_id         INTEGER NOT NULL REFERENCES texts (id),
    is_bot          INTEGER NOT NULL,
    PRIMARY KEY (conversation_id, number)
) WITHOUT ROWID;

CREATE UNIQUE INDEX members_by_speaker ON members (conversation_id, speaker_id) WHERE number > 0;

-- The log. Compaction never writes here. A row stays when its message is erased (then it has no text and
-- `erased_at` is set): it is how a late duplicate is recognised. `live` is 0 for what is erased, for an older
-- epoch, and for a message too large for any context; nothing becomes live again.
-- `state`: is the message background, does it wait for its answer (open), or how did its turn end; NULL for
-- answers. `change` is the number of its last edit (0: none), `changed_at` when that was stored.
CREATE TABLE messages (
    id              INTEGER PRIMARY KEY AUTOINCREMENT,
    conversation_id INTEGER NOT NULL REFERENCES conversations (id),
    epoch           INTEGER NOT NULL,
    role            TEXT NOT NULL CHECK (role IN ('user', 'assistant')),
    number          INTEGER NOT NULL,
    text_id         INTEGER REFERENCES texts (id),
    attachments_id  INTEGER REFERENCES texts (id),
    platform_id     TEXT NOT NULL DEFAULT '',
    reply_to        TEXT,
    answers         INTEGER REFERENCES messages (id),
    state           TEXT CHECK (state IN ('background', 'open', 'answered', 'failed', 'too_large')),
    live            INTEGER NOT NULL DEFAULT 1 CHECK (live IN (0, 1)),
    sent_at         TEXT NOT NULL,
    edited_at       TEXT,
    erased_at       TEXT,
    change          INTEGER NOT NULL DEFAULT 0,
    changed_at      TEXT
);

CREATE INDEX messages_live ON messages (conversation_id, epoch, id) WHERE live = 1;
CREATE INDEX messages_open ON messages (conversation_id, epoch, id) WHERE state = 'open';
CREATE INDEX messages_of_epoch ON messages (conversation_id, epoch);
CREATE INDEX messages_changed ON messages (conversation_id, change) WHERE change > 0;
CREATE UNIQUE INDEX messages_answers ON messages (answers) WHERE answers IS NOT NULL;

CREATE TRIGGER messages_added AFTER INSERT ON messages WHEN new.live = 1
BEGIN
    UPDATE conversations SET live = live + 1 WHERE id = new.conversation_id;
END;

CREATE TRIGGER messages_left AFTER UPDATE OF live ON messages WHEN old.live = 1 AND new.live = 0
BEGIN
    UPDATE conversations SET live = live - 1 WHERE id = new.conversation_id;
END;

-- Under which ids a message is known on its platform: one for a person's message, several for an answer shown
-- in parts. Ids are unique within a chat, and a chat that moved counts anew, hence `chat`.
CREATE TABLE parts (
    conversation_id INTEGER NOT NULL REFERENCES conversations (id),
    chat            TEXT NOT NULL,
    platform_id     TEXT NOT NULL,
    message_id      INTEGER NOT NULL REFERENCES messages (id),
    PRIMARY KEY (conversation_id, chat, platform_id)
) WITHOUT ROWID;

-- Messages with their speakers as they are called now.
CREATE VIEW entries AS
SELECT
    m.id, m.conversation_id, m.epoch, m.role, m.number, m.text_id, m.attachments_id, m.platform_id, m.answers,
    m.state, m.live, m.sent_at, m.edited_at, m.erased_at,
    coalesce(body.text, '') AS text,
    coalesce(attached.text, '[]') AS attachments,
    coalesce(p.speaker_id, '') AS speaker_id, coalesce(called.text, '') AS name, coalesce(p.is_bot, 0) AS is_bot
FROM messages AS m
LEFT JOIN texts AS body ON body.id = m.text_id
LEFT JOIN texts AS attached ON attached.id = m.attachments_id
LEFT JOIN members AS p ON p.conversation_id = m.conversation_id AND p.number = m.number
LEFT JOIN texts AS called ON called.id = p.name_id;

-- The summaries, a cache: each on top of its predecessor. The notes are JSON; a note's `since` is the number of
-- the last edit that was known when the note was written.
CREATE TABLE summaries (
    id              INTEGER PRIMARY KEY AUTOINCREMENT,
    conversation_id INTEGER NOT NULL REFERENCES conversations (id),
    epoch           INTEGER NOT NULL,
    version         INTEGER NOT NULL,
    predecessor     INTEGER REFERENCES summaries (id),
    first           INTEGER NOT NULL,
    last            INTEGER NOT NULL,
    folded          INTEGER NOT NULL,
    notes_id        INTEGER REFERENCES texts (id),
    next_note       INTEGER NOT NULL,
    source_tokens   INTEGER NOT NULL,
    tokens          INTEGER NOT NULL,
    model           TEXT NOT NULL,
    input_tokens    INTEGER NOT NULL,
    output_tokens   INTEGER NOT NULL,
    duration        REAL NOT NULL,
    reason          TEXT NOT NULL,
    read_at         TEXT,
    created_at      TEXT NOT NULL,
    UNIQUE (conversation_id, epoch, version)
);

-- One row for each answer: its request as it was sent, and what the provider reported.
CREATE TABLE requests (
    id               INTEGER PRIMARY KEY AUTOINCREMENT,
    conversation_id  INTEGER NOT NULL REFERENCES conversations (id),
    epoch            INTEGER NOT NULL,
    answer_id        INTEGER NOT NULL REFERENCES messages (id),
    purpose          TEXT NOT NULL,
    model            TEXT NOT NULL,
    budget           INTEGER NOT NULL,
    parts            TEXT NOT NULL,
    counted          INTEGER NOT NULL,
    counted_by       TEXT NOT NULL,
    stored           INTEGER NOT NULL,
    summarised       INTEGER NOT NULL,
    newly_summarised INTEGER NOT NULL,
    sent             INTEGER NOT NULL,
    left_out         INTEGER NOT NULL,
    at               TEXT NOT NULL,
    input            INTEGER,
    output           INTEGER,
    cached           INTEGER,
    duration         REAL NOT NULL,
    summary_version  INTEGER
);

CREATE INDEX requests_of_epoch ON requests (conversation_id, epoch, id);
CREATE INDEX requests_totals ON requests (conversation_id, input, counted, output);

-- Tokens of summary runs whose result was refused.
CREATE TABLE costs (
    id              INTEGER PRIMARY KEY AUTOINCREMENT,
    conversation_id INTEGER NOT NULL REFERENCES conversations (id),
    model           TEXT NOT NULL,
    input           INTEGER NOT NULL,
    output          INTEGER NOT NULL,
    at              TEXT NOT NULL
);

CREATE INDEX costs_of_conversation ON costs (conversation_id, input, output);

-- Small values that the platforms keep for themselves.
CREATE TABLE state (
    name  TEXT PRIMARY KEY,
    value TEXT NOT NULL
) WITHOUT ROWID;
