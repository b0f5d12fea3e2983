import { detectContactDetails } from '../../../src/features/conversations/detect-contacts.rules.ts';
import { t } from '../../tap.ts';

t.test('detects contact details in any script and notation', async (t) => {
  for (const text of [
    'Call +49 170 1234567',
    'my number: (030) 123-45-67',
    '0170/1234567',
    '٠١٧٠١٢٣٤٥٦٧',
    '０９０-１２３４-５６７８',
    'tel 1 7 0 1 2 3 4',
    '+49\u00a0171\u00a02345678',
    'tel:+49-171-2345678;ext=12',
    '+49 (0)171 2345678',
    '०१७१२३४५६७८',
    '0171.234.56.78',
    '01.23.45.67.89',
    '0171\u2011234\u20115678',
    '01\u200b71\u200c23456\u200d78',
    '0171*234*5678',
    '555·267·1234',
    '0171, 234, 5678',
    '0171,2345678',
    '+49, 171, 2345678',
    'order me at 0171 2345678',
    'order 0171-2345678',
    '0\ufe0f\u20e31\ufe0f\u20e37\ufe0f\u20e31\ufe0f\u20e32\ufe0f\u20e33\ufe0f\u20e34\ufe0f\u20e35\ufe0f\u20e3',
    '0\ufe0f1\u034f7\ufe0f1\u034f2\ufe0f3\u034f4\ufe0f5',
    "0171'234'5678",
    '0171’234’5678',
    '0171~234~5678',
    '0171:234:5678',
    '01:23:45:67:89',
    '0171。234。5678',
    '0171 1815-1852',
    '0171 24 11 2025',
    '+49 24 11 2025',
    '+852 2345-1230',
    '2345-6789',
    'chip 0171 2345678',
    '985 112 345 678',
    '+985 112 345 678 903',
    '12.34.56-78',
    'chip 276 0981 0234 5678\n0171 2345678',
    '1815-1852 0171 2345678',
    '24 11 2025 0171 2345678',
  ])
    t.same(detectContactDetails(text), ['PHONE'], text);
  for (const text of [
    'ada@example.org',
    'ada (at) example.org',
    'write to ada.b+c@ex-ample.co.uk please',
    'имя@почта.рф',
    'name＠example．com',
    'name (at) example dot com',
    'name [at] example [dot] com',
    'name at example dot com',
    'name AT mail DOT example DOT com',
    'name{at}example{dot}com',
    'name(@)example(.)com',
    'name ät example punkt de',
    'name @ example . com',
    'name@example . com',
    'name @ example .org',
    'na\u200bme@exam\u200bple.com',
    'ada at gmail.com',
    'ada ät web.de',
    'ada at yahoo.co.uk',
    'ada at gmail . com',
    'ada at gmail point com',
    'ada@example。org',
    'ada@example．org',
    'ada@example｡org',
    'ada arobase exemple point fr',
    'ada arobase mail point exemple point fr',
    'ada (arobase) exemple (point) fr',
    'ada@exemple point fr',
    'ada małpa wp kropka pl',
    'ada apenstaartje voorbeeld punt nl',
    'ada chiocciola esempio punto it',
    'ada arroba ejemplo.es',
    'I am @ home.now',
    'ada@dot.com',
    'arroba@example.org',
  ])
    t.same(detectContactDetails(text), ['EMAIL'], text);
  t.same(detectContactDetails('ada@example.org or +49 170 1234567'), ['EMAIL', 'PHONE']);
});

t.test('ignores text without contact details', async (t) => {
  for (const text of [
    'I have found your dog.',
    'at 52.516300, 13.377700',
    'since 2026-11-22, 14:30',
    'on 3.11.2026 at house 12',
    'chip 276098106234567890',
    '100 EUR, room 4711',
    'a@b',
    'chip 276098106123456',
    'on 23. 11. 2024 18:30, or 2024/11/23',
    'from 10.30-11.45 or 14.15-15.00',
    'between 2019 and 2024, so 2019–2024',
    'a price of 1 234 567 Ft, € 1 250 000, USD 12,345,678.90 or 1.234.567,00 €',
    'I am at home. Meet me at noon, dot or comma',
    'I am at 47.3769, 8.5417.',
    'order 4711-0815',
    'Bestellung Nr. 4711-0815',
    'invoice #4711 0815',
    'ticket no. 4711-0815, commande 4711-0815, 注文 4711-0815',
    'rooms 12, 14, 16, 18 and 101, 102, 103',
    'floors 01, 02, 03, 04',
    'I am at home . please come',
    'I wait at the gate . See you',
    'on 24-11-2025, or 24 11 2025 at 18:30',
    'on 24 11 2025 18 Uhr',
    '2025.11.24, or 2025. 11. 24.',
    '01.05.2025-03.05.2025',
    '24-11-2025 - 26-11-2025',
    '1815 - 1852',
    'open 0900-1700',
    'open 0900-1215 1300~1730',
    'from 00:00-24:00, 2026-11-22T14:30:15+02:00',
    '276 0981 0234 5678',
    '985-112-345-678-903',
    'chip 985 112 345 678 903',
    'Microchip no. 98511 23456 78903',
    '1000~2000円',
    'at this point we met',
    'I am @ this point now',
    'look at example.org',
    'ho visto una chiocciola. Il cane',
    '我在@公园。我在等',
    '',
  ])
    t.same(detectContactDetails(text), [], text);
});

t.test('checks a long message fast', async (t) => {
  for (const part of ['1 ', '(', 'a@', '1.', '@.', '٠'])
    t.ok(Array.isArray(detectContactDetails(part.repeat(1_000).slice(0, 1_000))), part);
});

t.test('searches a text that normalization makes longer only to its limit', async (t) => {
  const eighteenfold = '\ufdfa';
  t.same(detectContactDetails(`${eighteenfold.repeat(100)} ada@example.org`), ['EMAIL']);
  t.same(detectContactDetails(`${eighteenfold.repeat(1_000)} ada@example.org`), []);
});

t.test('finds an address between other signs', async (t) => {
  for (const text of [
    '@a@b.org',
    'a@b c@d.org',
    'x[AT]y.org',
    'a (at) b @ c.org',
    '<a@b.org>',
    'ada @ example.org',
  ])
    t.same(detectContactDetails(text), ['EMAIL'], text);
  for (const text of ['@b.org', ' @ b.org', '(@b.org)', 'a@.b', 'a@b.c', 'a  @b.org', 'a@ <b.org>'])
    t.same(detectContactDetails(text), [], text);
});
