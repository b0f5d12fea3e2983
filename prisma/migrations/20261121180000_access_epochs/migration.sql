-- What an account was opened by before all its sessions were ended is worth nothing afterwards.

ALTER TABLE users ADD COLUMN access_epoch integer NOT NULL DEFAULT 0;
ALTER TABLE users ADD CONSTRAINT users_access_epoch_not_negative CHECK (access_epoch >= 0);
COMMENT ON COLUMN users.access_epoch IS 'Grows by one whenever the sessions of the person are ended together (a new password, a changed second factor, a suspension, a log-out everywhere): device tokens of an earlier one are worth nothing.';
