-- Each package says how many memory tags it has room for; what somebody has beyond it stays theirs.

UPDATE subscription_packages AS package
SET limits = package.limits || jsonb_build_object('memoryTags', room.memory_tags)
FROM (VALUES ('FREE', 5), ('PERSONAL', 25), ('FAMILY', 100), ('BUSINESS', 2000), ('ENTERPRISE', NULL))
  AS room (code, memory_tags)
WHERE package.code = room.code AND NOT package.limits ? 'memoryTags';
