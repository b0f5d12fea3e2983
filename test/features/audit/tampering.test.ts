import { generateRandomAlphanumeric } from '../../../src/shared/ids.ts';
import { t } from '../../tap.ts';
import { createTrailTemplates, dropTrailTemplates, runTampering } from './tampered-trail.ts';
import { TAMPERINGS } from './tamperings.ts';

t.test('verification finds every kind of tampering and names the first wrong entry', async (t) => {
  const { TEST_OWNER_URL = '', TEST_APPLICATION_URL = '', TEST_TEMPLATE = '' } = process.env;
  const server = { ownerUrl: TEST_OWNER_URL, applicationUrl: TEST_APPLICATION_URL };
  const templates = await createTrailTemplates(
    server,
    TEST_TEMPLATE,
    `test_tamper_${generateRandomAlphanumeric(8)}`,
    150,
  );
  t.teardown(() => dropTrailTemplates(templates));
  for (const [seed, tampering] of [...TAMPERINGS, ...TAMPERINGS.slice(0, 6)].entries()) {
    const { name, expected, finding, found } = await runTampering(templates, tampering, seed);
    t.ok(found, `${name}: ${JSON.stringify(expected)}`, { found: finding });
  }
});
