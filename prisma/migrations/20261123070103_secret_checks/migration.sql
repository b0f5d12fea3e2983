CREATE TABLE secret_checks (
  name        text COLLATE "C" NOT NULL,
  check_value text NOT NULL,
  accepted_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT secret_checks_pkey PRIMARY KEY (name),
  CONSTRAINT secret_checks_check_value_shape CHECK (check_value ~ '^[0-9a-f]{32}$')
);
COMMENT ON TABLE secret_checks IS 'A check value for each secret that is not an encryption key or a pepper; a start with another secret is refused.';
COMMENT ON COLUMN secret_checks.name IS 'Name of the variable.';
COMMENT ON COLUMN secret_checks.check_value IS 'Keyed hash of the name under the secret; says nothing about it.';
COMMENT ON COLUMN secret_checks.accepted_at IS 'When the secret was first used, or accepted in place of another.';
COMMENT ON CONSTRAINT secret_checks_pkey ON secret_checks IS 'One secret a name.';
COMMENT ON CONSTRAINT secret_checks_check_value_shape ON secret_checks IS '32 hexadecimal digits.';
