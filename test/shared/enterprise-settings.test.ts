import { EnvironmentSchema } from '../../src/config-variables.ts';
import { findEnterpriseModeConfigProblems } from '../../src/shared/enterprise-settings.ts';
import { t } from '../tap.ts';

t.test(
  'enterprise mode rejects a remote geocoder or malware scanner and audit retention below six years',
  async (t) => {
    const names = (values: Record<string, unknown>) =>
      findEnterpriseModeConfigProblems(values).map(({ name }) => name);
    t.same(names({}), []);
    t.same(names({ GEOCODER_URL: 'https://maps.example.org', NOMINATIM_KEY: 'x', PORT: 3000 }), [
      'GEOCODER_URL',
      'NOMINATIM_KEY',
    ]);
    t.same(names({ GEOCODER_URL: undefined }), []);
    for (const CLAMD_URL of [
      'unix:/run/clamd.sock',
      'tcp://127.0.0.1:3310',
      'tcp://[::1]:1',
      'tcp://localhost:1',
    ])
      t.same(names({ CLAMD_URL }), [], CLAMD_URL);
    for (const CLAMD_URL of ['tcp://clamd:3310', 'tcp://localhost.example.org:1', 'tcp://192.0.2.1:3310'])
      t.same(names({ CLAMD_URL }), ['CLAMD_URL'], CLAMD_URL);
    t.same(names({ AUDIT_RETENTION_DAYS: 2189 }), ['AUDIT_RETENTION_DAYS']);
    t.same(names({ AUDIT_RETENTION_DAYS: 2190 }), []);
    const text = findEnterpriseModeConfigProblems({ GEOCODER_URL: 'https://maps.example.org' })[0]?.text;
    t.notMatch(text, /maps/, 'no value is repeated');
  },
);

t.test('no other setting sends positions to another host', async (t) => {
  const names = Object.keys(EnvironmentSchema.properties);
  t.same(
    names.filter((name) => /GEO|MAP|PLACE|LOCATION|POSITION/.test(name)),
    names.filter((name) => /GEOCOD|NOMINATIM/.test(name)),
  );
});
