import { isPhone, toDialableNumber, toTelUri } from '../../src/shared/phone.ts';
import { t } from '../tap.ts';

t.test('a number is read in the notations that people paste', async (t) => {
  for (const [phone, uri] of [
    ['+49 (0)170 1234567', 'tel:+491701234567'],
    ['0049 170 1234567', 'tel:+491701234567'],
    ['+44 (0)20 7946 0958', 'tel:+442079460958'],
    ['+39 (0)6 1234 5678', 'tel:+390612345678'],
    ['+39 06 12345678', 'tel:+390612345678'],
    ['+378 (0549) 886377', 'tel:+3780549886377'],
    ['+49\u00a030\u202f1234567', 'tel:+49301234567'],
    ['\u202a+49 30 1234567\u202c', 'tel:+49301234567'],
    ['+49 30\u20131234567', 'tel:+49301234567'],
    ['tel:+49-30-1234567', 'tel:+49301234567'],
    ['TEL:+49-30-1234567;ext=12', 'tel:+49301234567;ext=12'],
    ['+1 212 555 0123 ext. 45', 'tel:+12125550123;ext=45'],
    ['+1 212 555 0123 x45', 'tel:+12125550123;ext=45'],
    [
      '\uff0b\uff14\uff19\u3000\uff13\uff10\u3000\uff11\uff12\uff13\uff14\uff15\uff16\uff17',
      'tel:+49301234567',
    ],
    ['+\u0664\u0669 \u0663\u0660 \u0661\u0662\u0663\u0664\u0665\u0666\u0667', 'tel:+49301234567'],
    ['+\u0967 212 555 0123', 'tel:+12125550123'],
    ['(030) 123-45.67', 'tel:0301234567'],
    ['110', 'tel:110'],
  ] as const)
    t.equal(toTelUri(phone), uri, JSON.stringify(phone));
  t.equal(toDialableNumber('+1 212 555 0123 ext. 45'), '+12125550123', 'a message has no extension');
});

t.test('other text is no number', async (t) => {
  for (const phone of [
    '12',
    '+',
    'call me',
    '1234567890123456',
    '++49170123',
    '+49 170 123 45 or 46',
    'tel:',
    'ext. 12',
    '+49 30 1234567 ext. 12345678',
    `110${' '.repeat(70)}`,
    '\ufdfa'.repeat(60),
  ])
    t.notOk(isPhone(phone), JSON.stringify(phone));
});
