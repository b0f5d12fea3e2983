import { findPreviousKey, insertMessage } from '../../../scripts/i18n/catalogue-files.ts';
import { t } from '../../tap.ts';

const KEYS = ['finder.yes', 'mails.OTP.subject', 'mails.OTP.title', 'mails.RESET.subject', 'fields.name'];
const TEXT = `{
  "finder.yes": "\\u2066Ja\\u2069",
  "fields.name": "Name"
}
`;

t.test('a new key goes to the end of its area', (t) => {
  t.equal(findPreviousKey(KEYS, 'mails.OTP.paragraph1'), 'mails.OTP.title');
  t.equal(findPreviousKey(KEYS, 'mails.RENEWAL.subject'), 'mails.RESET.subject', 'or of the area around it');
  t.equal(findPreviousKey(KEYS, 'report.title'), null);
  t.end();
});

t.test('a message is one more line, and the others keep their escapes', (t) => {
  t.equal(
    insertMessage(TEXT, 'finder.yes', 'finder.no', 'Say "no"'),
    `{
  "finder.yes": "\\u2066Ja\\u2069",
  "finder.no": "Say \\"no\\"",
  "fields.name": "Name"
}
`,
  );
  for (const previous of ['fields.name', null])
    t.equal(
      insertMessage(TEXT, previous, 'fields.age', 'Age'),
      `{
  "finder.yes": "\\u2066Ja\\u2069",
  "fields.name": "Name",
  "fields.age": "Age"
}
`,
    );
  t.end();
});
