import { Type } from 'typebox';
import { findDateOrderErrors, findWebUrlErrors } from './field-rules.ts';
import {
  contactField,
  dateField,
  lineField,
  listField,
  objectField,
  textField,
  webUrlField,
} from './field-types.ts';
import { defineProfileKind } from './profile-kind.ts';

const link = objectField('Link', 'A page about the person.', {
  title: lineField('Title', 'What the page is.'),
  url: webUrlField('Address', 'Web address, http or https.'),
});

const schema = objectField('Memory tag', 'A person or an animal that is remembered.', {
  name: lineField('Name', 'Name of the person, or of the animal.'),
  epitaph: Type.Optional(lineField('Epitaph', 'The sentence on the stone.', 300)),
  bornOn: Type.Optional(dateField('Born on', 'Date of birth.')),
  diedOn: Type.Optional(dateField('Died on', 'Date of death.')),
  birthplace: Type.Optional(lineField('Birthplace', 'Where the life began.')),
  restingPlace: Type.Optional(lineField('Resting place', 'Cemetery and plot, forest, sea.')),
  biography: Type.Optional(textField('Biography', 'The story of the life.', 10_000)),
  family: Type.Optional(textField('Family', 'Whom the person belonged to: “Mother of Eva and Jan”.', 500)),
  achievements: Type.Optional(
    listField(
      'Achievements',
      'What the person was proud of.',
      lineField('Achievement', 'One of them.', 200),
      20,
    ),
  ),
  links: Type.Optional(listField('Links', 'Pages, pictures, music.', link, 20)),
  visitorMessage: Type.Optional(textField('Message to visitors', 'Message of the family to visitors.', 1000)),
  familyContact: Type.Optional(contactField('Family contact', 'Whom of the family to write to.')),
  notes: Type.Optional(textField('Notes', "The family's own notes.")),
});

export const memoryTagKind = defineProfileKind({
  kind: 'MEMORY_TAG',
  label: 'Memory tag',
  description: 'For a grave, a bench or a tree: the life of the person remembered there.',
  sensitive: 'NEVER',
  schema,
  defaultVisibility: {
    name: 'PUBLIC',
    bornOn: 'PUBLIC',
    diedOn: 'PUBLIC',
    epitaph: 'PUBLIC',
    visitorMessage: 'PUBLIC',
    biography: 'PUBLIC',
    family: 'PUBLIC',
    achievements: 'PUBLIC',
    birthplace: 'PUBLIC',
    restingPlace: 'PUBLIC',
    links: 'PUBLIC',
    familyContact: 'PIN_OR_PRIVATE',
    notes: 'PRIVATE',
  },
  example: {
    name: 'Katharina Brandt',
    epitaph: 'She planted trees whose shade was for others.',
    bornOn: '1931-05-17',
    diedOn: '2024-11-02',
    birthplace: 'Königsberg',
    restingPlace: 'Waldfriedhof, field 12, plot 7',
    biography: 'Teacher, gardener and mother of three, who taught half the village to read.',
    family: 'Mother of Eva, Jan and Peter',
    links: [{ title: 'Her garden in pictures', url: 'https://example.com/garden' }],
    familyContact: { name: 'Eva Brandt', relation: 'Daughter', email: 'eva@example.com' },
  },
  check(data) {
    const links = data.links ?? [];
    return [
      ...findDateOrderErrors('data.diedOn', data.bornOn, data.diedOn),
      ...links.flatMap((item, index) => findWebUrlErrors(`data.links[${index}].url`, item.url)),
    ];
  },
  cardHeading: 'In memory of',
});
