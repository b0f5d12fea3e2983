import type { ResourceContents } from '../../../access/test-resources.ts';

const LONG_WORD = 'Donaudampfschifffahrtsgesellschaftskapitän'.repeat(2);

/** What a page must not contain as it is. */
export const HOSTILE_MARKUP = '<b/class="hostile"';

const MARKUP = `"'>${HOSTILE_MARKUP}/onclick="hostile=1">`;

/** A formula of a spreadsheet, markup, a zero-width space, Arabic, an emoji of several characters, and a long word. */
function createHostileLine(name: string, maxCharacters: number): string {
  return `=${name}${MARKUP}\u200bقطة🐕‍🦺${LONG_WORD}`.slice(0, maxCharacters);
}

/** Several lines with an address that runs a script, and a direction that is never ended. */
function createHostileText(name: string): string {
  return `${createHostileLine(name, 200)}\n</textarea><script>hostile=1</script>\n\njavascript:hostile=1 https://example.org/"onmouseover="hostile=1\n\u202egnp.exe`;
}

/** Each begins with its name, by which a page that shows it is known. */
export const HOSTILE_TEXTS = {
  title: createHostileLine('Title', 200),
  name: createHostileLine('Name', 80),
  notes: createHostileText('Notes'),
  site: createHostileLine('Site', 200),
  reward: createHostileLine('Reward', 120),
  lost: createHostileText('Lost'),
  finder: createHostileLine('Finder', 80),
  message: createHostileText('Message'),
  report: createHostileText('Report'),
  line: createHostileLine('Line', 100),
  paragraph: createHostileText('Paragraph'),
  memorial: createHostileLine('Memorial', 200),
  epitaph: createHostileText('Epitaph'),
  story: createHostileText('Story'),
  place: createHostileLine('Place', 200),
  document: createHostileLine('Document', 200),
  firstName: createHostileLine('First', 100),
  lastName: createHostileLine('Last', 100),
  column: createHostileLine('Column', 100),
  cell: createHostileLine('Cell', 100),
} as const satisfies Record<string, string>;

/** Resources with such texts. */
export const HOSTILE_CONTENTS: ResourceContents = {
  code: {
    kind: 'PET',
    title: HOSTILE_TEXTS.title,
    data: {
      name: HOSTILE_TEXTS.name,
      species: 'Dog',
      notes: HOSTILE_TEXTS.notes,
      reward: HOSTILE_TEXTS.reward,
    },
    metadata: { site: HOSTILE_TEXTS.site },
  },
  memoryTag: {
    name: HOSTILE_TEXTS.memorial,
    epitaph: HOSTILE_TEXTS.epitaph,
    story: HOSTILE_TEXTS.story,
    places: [{ label: HOSTILE_TEXTS.place }],
  },
  conversation: { name: HOSTILE_TEXTS.finder, message: HOSTILE_TEXTS.message },
  documentTitle: HOSTILE_TEXTS.document,
  line: HOSTILE_TEXTS.line,
  text: HOSTILE_TEXTS.paragraph,
};
