-- A note has a kind and an instant; an earlier one is a plain note of its time. In JSON no text contains the beginning
-- of a member that is searched for here: its quotes are escaped.
UPDATE events SET params = CASE WHEN params LIKE '{%'
    THEN substr(params, 1, length(params) - 1) || ',"kind":"note","happenedAt":"' || at || '"}'
    ELSE replace(params, '},"revision":', ',"kind":"note","happenedAt":"' || at || '"},"revision":') END
  WHERE operation = 'add-note' AND params <> '{}';
CREATE INDEX events_notes ON events (subject) WHERE operation = 'add-note';
