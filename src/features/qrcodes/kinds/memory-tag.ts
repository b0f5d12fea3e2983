import { Type } from 'typebox';
import { orderErrors, webUrlErrors } from './field-rules.ts';
import { contact, day, group, line, list, text, webUrl } from './field-types.ts';
import { defineProfileKind } from './profile-kind.ts';

const link = group('Link', 'A page about the person.', {
  title: line('Title', 'What the page is.'),
  url: webUrl('Address', 'Web address, http or https.'),
});

const schema = group('Memory tag', 'Somebody who is remembered.', {
  name: line('Name', 'Name of the person, or of the animal.'),
  epitaph: Type.Optional(line('Epitaph', 'The sentence on the stone.', 300)),
  bornOn: Type.Optional(day('Born on', 'Date of birth.')),
  diedOn: Type.Optional(day('Died on', 'Date of death.')),
  birthplace: Type.Optional(line('Birthplace', 'Where the life began.')),
  restingPlace: Type.Optional(line('Resting place', 'Cemetery and plot, forest, sea.')),
  biography: Type.Optional(text('Biography', 'The story of the life.', 10_000)),
  family: Type.Optional(text('Family', 'Whom the person belonged to: “Mother of Eva and Jan”.', 500)),
  achievements: Type.Optional(
    list('Achievements', 'What the person was proud of.', line('Achievement', 'One of them.', 200), 20),
  ),
  links: Type.Optional(list('Links', 'Pages, pictures, music.', link, 20)),
  visitorMessage: Type.Optional(text('Message to visitors', 'From the family to whoever stands here.', 1000)),
  familyContact: Type.Optional(contact('Family contact', 'Whom of the family to write to.')),
  notes: Type.Optional(text('Notes', "The family's own notes.")),
});

/** A plaque on a grave, a bench or a tree. */
export const memoryTag = defineProfileKind({
  kind: 'MEMORY_TAG',
  label: 'Memory tag',
  description: 'For a grave, a bench or a tree: who is remembered here, told by the family.',
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
      ...orderErrors('data.diedOn', data.bornOn, data.diedOn),
      ...links.flatMap((item, index) => webUrlErrors(`data.links[${index}].url`, item.url)),
    ];
  },
  cardHeading: 'In memory of',
});
