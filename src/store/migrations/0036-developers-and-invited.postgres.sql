-- Who asked for what is for developers, and who was invited but never signed in.
ALTER TABLE users ADD COLUMN developer boolean NOT NULL DEFAULT false;
ALTER TABLE users ADD COLUMN invited boolean NOT NULL DEFAULT true;
UPDATE users SET invited = last_seen_at IS NULL,
  doc = replace(doc, ',"createdAt":', ',"developer":false,"createdAt":');
