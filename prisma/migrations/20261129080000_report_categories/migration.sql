-- As in reports of codes and takedowns: category is one of a list, reason is free text.
ALTER TABLE conversation_reports RENAME COLUMN reason TO category;
ALTER TABLE conversation_reports RENAME CONSTRAINT conversation_reports_reason_known TO conversation_reports_category_known;
COMMENT ON CONSTRAINT conversation_reports_category_known ON conversation_reports IS 'One of the five categories.';

-- Stored responses have the former name. A repeat finds the report itself.
DELETE FROM idempotency_keys WHERE operation IN ('conversations.report', 'conversations.reportAsFinder');
