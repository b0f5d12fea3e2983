import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { computeDarkBrandColor } from '../../../src/shared/brand.ts';
import { computeContrastRatio } from '../../../src/shared/color-contrast.ts';
import { createScratchFolder } from '../../scratch-folder.ts';
import { t } from '../../tap.ts';
import { startScans } from '../scans/helper.ts';

const SVG = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path d="M0 0h8v8H0z"/></svg>`;

t.test('pages show the name, logo, color and links of the operator', async (t) => {
  const logo = join(await createScratchFolder(t), 'logo.svg');
  writeFileSync(logo, SVG);
  const { call, code } = await startScans(t, {
    BRAND_NAME: 'Tags & <Tails>',
    BRAND_COLOR: '#7A1F5C',
    BRAND_LOGO_FILE: logo,
    BRAND_IMPRINT_URL: 'https://tags.example/imprint?a=1&b=2',
    BRAND_PRIVACY_URL: 'https://tags.example/privacy',
    BRAND_ABUSE_URL: 'mailto:abuse@tags.example',
  });
  const id = await code({ data: { name: 'Rex' } });
  const { text, headers } = await call('GET', `/s/${id}?lang=de`);
  t.match(text, '<header><img src="/brand/logo" alt="">Tags &#38; &#60;Tails&#62;</header>');
  t.match(text, '<link rel="icon" href="/brand/logo">');
  t.match(text, '--act:#7a1f5c');
  t.match(text, 'href="https://tags.example/imprint?a=1&#38;b=2">Impressum<');
  t.match(text, 'href="https://tags.example/privacy">Datenschutz<');
  t.match(text, 'href="mailto:abuse@tags.example">Missbrauch melden<');
  t.match(text, 'Tags &#38; &#60;Tails&#62; zeigt');
  t.match(text, 'Dieser Scan wurde gespeichert.');
  t.match(headers['content-security-policy'], /style-src 'sha256-/);
  const unknown = await call('GET', '/s/test/ended');
  t.match(unknown.text, '<header><img src="/brand/logo" alt="">');
  t.notMatch(unknown.text, 'This scan was recorded', 'nothing was recorded');

  const file = await call('GET', '/brand/logo');
  t.equal(file.text, SVG);
  t.match(file.headers, {
    'content-type': 'image/svg+xml',
    'content-security-policy': /default-src 'none'.*sandbox/,
    'cache-control': 'public, max-age=3600',
    'x-content-type-options': 'nosniff',
  });
});

t.test('without settings pages have a default name and icon, and no links', async (t) => {
  const { call, code } = await startScans(t);
  const { text } = await call('GET', `/s/${await code({ data: { name: 'Rex' } })}`);
  t.match(text, '<header>QR Profile Service</header>');
  t.match(text, '<link rel="icon" href="data:image/svg+xml;base64,');
  t.notMatch(text, 'Legal notice');
  t.equal((await call('GET', '/brand/logo')).status, 404);
});

t.test('every accent color has a readable tone for dark pages', async (t) => {
  for (const color of ['#000000', '#0b4fb3', '#7a1f5c', '#ff0000', '#00ff00', '#ffffff', '#767676'])
    for (const page of ['#161616', '#111111'])
      t.ok(computeContrastRatio(computeDarkBrandColor(color), page) >= 7, `${color} on ${page}`);
});
