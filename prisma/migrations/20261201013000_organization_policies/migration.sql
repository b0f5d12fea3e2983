-- Compatible with earlier versions: yes
-- What an organization requires of its members when they act for it.
ALTER TABLE accounts
  ADD COLUMN second_factor_required boolean NOT NULL DEFAULT false,
  ADD COLUMN max_session_hours integer
    CONSTRAINT accounts_max_session_hours_range CHECK (max_session_hours BETWEEN 1 AND 720);
COMMENT ON COLUMN accounts.second_factor_required IS 'Members of the organization act for it only with a second factor; enterprise mode requires it anyway. False for personal accounts.';
COMMENT ON COLUMN accounts.max_session_hours IS 'So long after the login members act for the organization; null for no limit of its own, as for personal accounts.';
COMMENT ON CONSTRAINT accounts_max_session_hours_range ON accounts IS 'From an hour to 30 days.';
