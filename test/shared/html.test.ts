import { escapeHtml, html } from '../../src/shared/html.ts';
import { t } from '../tap.ts';

t.test('escapes every character that ends a text or an attribute', async (t) => {
  t.equal(escapeHtml(`&<>"'\``), '&#38;&#60;&#62;&#34;&#39;&#96;');
  const value = `x' onclick='alert(1)`;
  t.equal(html`<a title='${value}'>${value}</a>`.markup.match(/'/g)?.length, 2, 'only those of the template');
});
