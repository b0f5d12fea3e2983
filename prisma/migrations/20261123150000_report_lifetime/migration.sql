-- A report that nobody decides on keeps its conversation for 180 days at most.

COMMENT ON TABLE conversation_reports IS 'Conversations that one of their sides reported to the administration; gone with them, which stay as long as one is not decided, for 180 days at most.';
COMMENT ON TABLE conversations IS 'A conversation between whoever scanned a code and its owner; removed 90 days after its last message, or later once what was reported of it is decided, at most 180 days after the report.';
