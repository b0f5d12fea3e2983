-- The free package limits the members of an organization; the others do not, until an administrator sets a limit.
UPDATE subscription_packages SET limits = limits || '{"members": 3}', version = version + 1
WHERE code = 'FREE' AND NOT limits ? 'members';
INSERT INTO subscription_package_versions (package_id, version, names, prices, limits, features)
SELECT id, version, names, prices, limits, features FROM subscription_packages
WHERE code = 'FREE' ON CONFLICT DO NOTHING;
