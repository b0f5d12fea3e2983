import { formatUserAgentFamily } from '../../../../src/features/identity/accounts/user-agent-family.rules.ts';
import { fc } from '../../../property.ts';
import { t } from '../../../tap.ts';

t.test('a user agent is shown as its browser family', async (t) => {
  const known = {
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1':
      'Safari (iOS)',
    'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36':
      'Chrome (Android)',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0':
      'Edge (Windows)',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 15_0; rv:140.0) Gecko/20100101 Firefox/140.0': 'Firefox (macOS)',
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 OPR/120.0.0.0':
      'Opera (Linux)',
    'curl/8.5.0': 'curl',
    '': '–',
  };
  for (const [agent, family] of Object.entries(known)) t.equal(formatUserAgentFamily(agent), family, agent);
});

t.test('the text of an arbitrary user agent is never repeated, only a known family name', async () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 512 }), (agent) =>
      /^(?:[A-Za-z ]{2,40}(?: \([A-Za-z]+\))?|–)$/.test(formatUserAgentFamily(agent)),
    ),
  );
});
