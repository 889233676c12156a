-- What a summary keeps beside its notes, messages folded in pieces, going back to an earlier summary, retention
-- and idle conversations.

-- `beside_id` is JSON: literal lines, drops and refusals (NULL: none). Of the message `partial` the first
-- `partial_done` characters are folded, as they were at edit number `partial_since`. `reach` is the last message
-- that the version says anything of: what happens to later ones doesn't concern it.
ALTER TABLE summaries ADD COLUMN beside_id INTEGER REFERENCES texts (id);
ALTER TABLE summaries ADD COLUMN partial INTEGER REFERENCES messages (id);
ALTER TABLE summaries ADD COLUMN partial_done INTEGER;
ALTER TABLE summaries ADD COLUMN partial_since INTEGER;
ALTER TABLE summaries ADD COLUMN reach INTEGER NOT NULL DEFAULT 0;

UPDATE summaries SET reach = last;

-- `newest` is the newest live message and `newest_at` when it was sent (the triggers below keep both). Up to
-- `settled` nothing is left for a summary made in an idle hour: it was there when the last one was made.
-- `unstruck` is the version up to which texts that rested on expired messages are gone; NULL: all of them are.
ALTER TABLE conversations ADD COLUMN newest INTEGER;
ALTER TABLE conversations ADD COLUMN newest_at TEXT;
ALTER TABLE conversations ADD COLUMN settled INTEGER NOT NULL DEFAULT 0;
ALTER TABLE conversations ADD COLUMN unstruck INTEGER;

UPDATE conversations SET
    (newest, newest_at) = (
        SELECT id, sent_at FROM messages
        WHERE conversation_id = conversations.id AND epoch = conversations.epoch AND live = 1
        ORDER BY id DESC LIMIT 1
    ),
    settled = coalesce((SELECT last FROM summaries WHERE id = conversations.summary_id), 0);

CREATE INDEX conversations_idle ON conversations (newest_at) WHERE newest > settled;
CREATE INDEX conversations_unstruck ON conversations (id) WHERE unstruck IS NOT NULL;
CREATE INDEX messages_kept ON messages (conversation_id, sent_at) WHERE erased_at IS NULL;

DROP TRIGGER messages_added;
DROP TRIGGER messages_left;

CREATE TRIGGER messages_added AFTER INSERT ON messages WHEN new.live = 1
BEGIN
    UPDATE conversations SET live = live + 1, newest = new.id, newest_at = new.sent_at
    WHERE id = new.conversation_id;
END;

CREATE TRIGGER messages_left AFTER UPDATE OF live ON messages WHEN old.live = 1 AND new.live = 0
BEGIN
    UPDATE conversations SET live = live - 1 WHERE id = new.conversation_id;
    UPDATE conversations SET (newest, newest_at) = (
        SELECT id, sent_at FROM messages
        WHERE conversation_id = new.conversation_id AND epoch = new.epoch AND live = 1
        ORDER BY id DESC LIMIT 1
    )
    WHERE id = new.conversation_id AND newest = new.id;
END;
