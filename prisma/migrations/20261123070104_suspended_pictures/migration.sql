CREATE INDEX users_suspended_picture_idx ON users (profile_picture) WHERE status = 'SUSPENDED';
COMMENT ON INDEX users_suspended_picture_idx IS 'Serves: whether the owner of a requested profile picture is suspended.';
