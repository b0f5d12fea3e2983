-- Names that only the application knew, such as AET: every report of their accounts failed.
UPDATE users SET time_zone = 'UTC' WHERE NOT EXISTS (SELECT FROM pg_timezone_names WHERE lower(name) = lower(time_zone));
