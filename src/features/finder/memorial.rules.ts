type Profile = Readonly<Record<string, unknown>>;

/** What a memory tag tells of a life. */
interface LifeFacts {
  name: string;
  bornOn: string | null;
  diedOn: string | null;
  epitaph: string | null;
  story: string | null;
  places: readonly { kind?: string }[];
}

/** What of a code's own content tells the same as a place of such a kind. */
const FIELD_BY_PLACE_KIND: Readonly<Record<string, string>> = { BIRTH: 'birthplace', GRAVE: 'restingPlace' };

/**
 * What the page of a code tells where a memory tag is bound to it: what the tag says takes the place of what the code says
 * of the same, and what it does not say is as the code has it. Both dates of a life are one fact.
 */
export function mergeMemoryTag(profile: Profile | null, life: LifeFacts): Profile {
  const { name, bornOn, diedOn, epitaph, story, places } = life;
  const placeFields = places.flatMap(({ kind }) => FIELD_BY_PLACE_KIND[kind ?? ''] ?? []);
  const hasLife = bornOn !== null || diedOn !== null;
  const replaced = [
    ...placeFields,
    ...(hasLife ? ['bornOn', 'diedOn'] : []),
    ...(story ? ['biography'] : []),
    ...(epitaph ? ['epitaph'] : []),
  ];
  const remainingFields = Object.entries(profile ?? {}).filter(([field]) => !replaced.includes(field));
  const tagFields = Object.entries({ name, bornOn, diedOn, epitaph }).filter(([, value]) => value);
  return Object.fromEntries([...remainingFields, ...tagFields]);
}

/** A story in parts, each of so many bytes of markup at most: between paragraphs or words, where there are any. */
export function splitStory(story: string, bytes: number, sizeOf: (text: string) => number): string[] {
  const parts: string[] = [];
  let part = '';
  let left = bytes;
  for (const piece of story.match(/\S{1,200}\s*|\s+/gu) ?? []) {
    const size = sizeOf(piece);
    if (size > left && part !== '') {
      parts.push(part.trim());
      part = '';
      left = bytes;
    }
    part += piece;
    left -= size;
  }
  return [...parts, part.trim()].filter((each) => each !== '');
}
