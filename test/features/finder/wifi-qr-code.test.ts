import sharp from 'sharp';
import { readWithJsqr } from '../../platform/qr-image/read-with-jsqr.ts';
import { t } from '../../tap.ts';
import { createPageContent, renderPage } from './page-helper.ts';

const getSvg = (page: string) => /<svg class="code"[\s\S]*?<\/svg>/.exec(page)?.[0] ?? null;

async function readFrom(profile: Record<string, unknown>, withheld: string[] = []): Promise<string | null> {
  const drawing = getSvg(await renderPage(createPageContent('WIFI', { profile, hiddenFields: withheld })));
  if (drawing === null) return null;
  t.ok(Buffer.byteLength(drawing) < 6_000, `${drawing.length} bytes`);
  const image = drawing.replace('<svg', '<svg xmlns="http://www.w3.org/2000/svg" width="800" height="800"');
  return readWithJsqr(await sharp(Buffer.from(image)).png().toBuffer());
}

t.test('the QR code on the page lets another phone join the network', async (t) => {
  t.equal(
    await readFrom({ ssid: 'Guests', password: 'two cups; no' }),
    'WIFI:T:WPA;S:Guests;P:two cups\\; no;;',
  );
  t.equal(
    await readFrom({ ssid: 'Café', password: '12345', security: 'WEP', hidden: true }),
    'WIFI:T:WEP;S:Café;P:12345;H:true;;',
  );
  t.equal(await readFrom({ ssid: 'Free', security: 'NONE' }), 'WIFI:T:nopass;S:Free;;');
  t.equal(
    await readFrom({ ssid: 'Free' }, ['notes']),
    'WIFI:T:nopass;S:Free;;',
    'without a password the network is open',
  );
  const [ssid, password] = [';'.repeat(32), '"'.repeat(63)];
  t.equal(await readFrom({ ssid, password }), `WIFI:T:WPA;S:${'\\;'.repeat(32)};P:${'\\"'.repeat(63)};;`);
  t.equal(await readFrom({ ssid, password: '😀'.repeat(63) }), null, 'too large to draw');
});

t.test('there is no QR code if the finder may not see all of its content', async (t) => {
  for (const [profile, ...withheld] of [
    [{ ssid: 'Guests', security: 'WPA' }, 'password'],
    [{ ssid: 'Guests' }, 'password', 'security'],
    [{ ssid: 'Guests', password: '12345' }, 'security'],
    [{ password: 'two cups; no', security: 'WPA' }, 'ssid'],
  ] as const)
    t.equal(await readFrom(profile, withheld), null, JSON.stringify(profile));
});

t.test('name and password can be copied as they are', async (t) => {
  const page = await renderPage(
    createPageContent('WIFI', { profile: { ssid: 'a  <b>', password: ' x & "y" ' } }),
  );
  t.match(page, '<code>a  &#60;b&#62;</code>');
  t.match(page, '> x &#38; &#34;y&#34; </code>');
  t.match(page, /code\{[^}]*white-space:pre-wrap;user-select:all/);
});
