-- More reasons for which a session ends.
ALTER TABLE sessions DROP CONSTRAINT sessions_end_reason_known;
ALTER TABLE sessions ADD CONSTRAINT sessions_end_reason_known CHECK (end_reason IN (
  'LOGOUT', 'REVOKED', 'PASSWORD_RESET', 'PASSWORD_CHANGED', 'REFRESH_REUSE', 'SUSPENDED', 'ROLE_CHANGED',
  'ENDED_BY_ADMINISTRATOR', 'IDLE', 'SECOND_FACTOR_CHANGED', 'IDENTITY_LINKED', 'ERASED'));
