import { Type } from 'typebox';
import { findDateOrderErrors, findWebUrlErrors } from './field-rules.ts';
import {
  createContactFieldSchema,
  createDateFieldSchema,
  createListFieldSchema,
  createObjectFieldSchema,
  createSingleLineFieldSchema,
  createTextFieldSchema,
  createWebUrlFieldSchema,
} from './field-types.ts';
import { defineProfileQrCodeKind } from './profile-kind.ts';

const link = createObjectFieldSchema('Link', 'A page about the person.', {
  title: createSingleLineFieldSchema('Title', 'What the page is.'),
  url: createWebUrlFieldSchema('Web address', 'Web address, http or https.'),
});

const schema = createObjectFieldSchema('Memorial', 'A person or an animal that is remembered.', {
  name: createSingleLineFieldSchema('Name', 'Name of the person, or of the animal.'),
  epitaph: Type.Optional(createSingleLineFieldSchema('Epitaph', 'The sentence on the stone.', 300)),
  bornOn: Type.Optional(createDateFieldSchema('Date of birth', 'Date of birth.')),
  diedOn: Type.Optional(createDateFieldSchema('Date of death', 'Date of death.')),
  birthplace: Type.Optional(createSingleLineFieldSchema('Birthplace', 'Where the life began.')),
  restingPlace: Type.Optional(
    createSingleLineFieldSchema('Resting place', 'Cemetery and plot, forest, sea.'),
  ),
  biography: Type.Optional(createTextFieldSchema('Biography', 'The story of the life.', 10_000)),
  family: Type.Optional(createTextFieldSchema('Family', 'Relatives, such as “Mother of Eva and Jan”.', 500)),
  achievements: Type.Optional(
    createListFieldSchema(
      'Achievements',
      'What the person was proud of.',
      createSingleLineFieldSchema('Achievement', 'One of them.', 200),
      20,
    ),
  ),
  links: Type.Optional(createListFieldSchema('Links', 'Pages, pictures, music.', link, 20)),
  visitorMessage: Type.Optional(
    createTextFieldSchema('Message to visitors', 'Message of the family to visitors.', 1000),
  ),
  familyContact: Type.Optional(
    createContactFieldSchema('Family contact', 'Family member who receives messages.'),
  ),
  notes: Type.Optional(createTextFieldSchema('Notes', "The family's own notes.")),
});

export const memoryTagQrCodeKind = defineProfileQrCodeKind({
  kind: 'MEMORY_TAG',
  label: 'Memorial',
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
