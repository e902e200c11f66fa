-- Who asked for what is for developers, and who was invited but never signed in.
ALTER TABLE users ADD COLUMN developer INTEGER NOT NULL DEFAULT 0;
ALTER TABLE users ADD COLUMN invited INTEGER NOT NULL DEFAULT 1;
UPDATE users SET invited = last_seen_at IS NULL,
  doc = replace(doc, ',"createdAt":', ',"developer":false,"createdAt":');
