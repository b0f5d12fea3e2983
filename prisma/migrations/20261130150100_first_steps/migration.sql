-- Compatible with earlier versions: yes
ALTER TABLE users ADD COLUMN first_steps text[] NOT NULL DEFAULT '{}'
  CONSTRAINT users_first_steps_known CHECK (first_steps <@ ARRAY['PRINTED', 'PRACTICED', 'HIDDEN']);
COMMENT ON COLUMN users.first_steps IS 'What is done of the first steps that the first page of the account lists: PRINTED, PRACTICED, HIDDEN (the list).';
COMMENT ON CONSTRAINT users_first_steps_known ON users IS 'PRINTED, PRACTICED or HIDDEN.';
