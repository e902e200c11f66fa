-- A digest of a command's content as it was sent: a repeat is one whatever the model has become.
ALTER TABLE commands ADD COLUMN sent_as text COLLATE "C";
