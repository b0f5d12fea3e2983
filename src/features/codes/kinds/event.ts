import { createHash } from 'node:crypto';
import { type Static, Type } from 'typebox';
import { DAY_MS } from '../../../shared/durations.ts';
import type { FieldError } from '../../../shared/errors.ts';
import { createFieldError, findWebUrlErrors } from './field-rules.ts';
import {
  createBooleanFieldSchema,
  createObjectFieldSchema,
  createSingleLineFieldSchema,
  createTextFieldSchema,
  createWebUrlFieldSchema,
} from './field-types.ts';
import { type ContentRevision, defineQrCodeKind } from './kind-definition.ts';

const YEAR_RANGE_MESSAGE = 'Must be a moment between the years 1900 and 2200.';

const schema = createObjectFieldSchema('Event', 'Something that happens at a time.', {
  startsAt: createDateTimeField('Starts', 'When it begins.'),
  endsAt: Type.Optional(createDateTimeField('Ends', 'When it ends.')),
  allDay: Type.Optional(
    createBooleanFieldSchema('All day', 'Whether only the days count, both included, and not the hours.'),
  ),
  name: Type.Optional(createSingleLineFieldSchema('Name', 'What it is; the title of the code without it.')),
  place: Type.Optional(createSingleLineFieldSchema('Place', 'Where it is.', 200)),
  description: Type.Optional(createTextFieldSchema('Description', 'What happens.')),
  organizer: Type.Optional(createSingleLineFieldSchema('Organizer', 'Who invites.')),
  url: Type.Optional(createWebUrlFieldSchema('Website', 'Web address, http or https.')),
});

type Event = Partial<Static<typeof schema>>;

export const eventQrCodeKind = defineQrCodeKind({
  kind: 'EVENT',
  label: 'Event',
  description: 'Puts a date into the calendar.',
  sensitive: 'NEVER',
  schema,
  defaultVisibility: {
    name: 'PUBLIC',
    startsAt: 'PUBLIC',
    endsAt: 'PUBLIC',
    allDay: 'PUBLIC',
    place: 'PIN_OR_PUBLIC',
    description: 'PIN_OR_PUBLIC',
    organizer: 'PUBLIC',
    url: 'PIN_OR_PUBLIC',
  },
  example: {
    startsAt: '2027-06-12T18:00:00+02:00',
    endsAt: '2027-06-12T23:00:00+02:00',
    name: 'Summer party',
    place: 'Courtyard, Lindenstr. 5, Berlin',
    description: 'Bring a friend and something to drink.',
  },
  check(data): FieldError[] {
    const errors: FieldError[] = findWebUrlErrors('data.url', data.url);
    const { startsAt, endsAt } = data;
    if (!isInCalendar(startsAt))
      errors.push(createFieldError('data.startsAt', 'OUT_OF_RANGE', YEAR_RANGE_MESSAGE));
    if (endsAt === undefined) return errors;
    if (!isInCalendar(endsAt))
      errors.push(createFieldError('data.endsAt', 'OUT_OF_RANGE', YEAR_RANGE_MESSAGE));
    else if (Date.parse(endsAt) < Date.parse(startsAt))
      errors.push(createFieldError('data.endsAt', 'OUT_OF_RANGE', 'Must not be before `startsAt`.'));
    return errors;
  },
  toStaticContent(data, title, revision) {
    if (data.startsAt === undefined) return null;
    return createICalendar(data, data.startsAt, title, revision);
  },
});

/** Derived from the content, so that the same event always has the same image. */
function createEventId(data: Event, title: string): string {
  return createHash('sha256')
    .update(JSON.stringify([data, title]))
    .digest('hex')
    .slice(0, 24);
}

/**
 * RFC 5545. Without a METHOD, DTSTAMP is the last revision (3.8.7.2): calendars ignore one that is earlier. That of an
 * image is derived from the content, so that the same event always has the same image.
 */
function createICalendar(data: Event, startsAt: string, title: string, revision?: ContentRevision): string {
  const { endsAt, allDay } = data;
  const updatedAt = revision && formatUtc(revision.updatedAt);
  const rows: [string, string | undefined][] = [
    ['UID', revision?.id ?? createEventId(data, title)],
    ['DTSTAMP', updatedAt ?? formatUtc(startsAt)],
    ['LAST-MODIFIED', updatedAt],
    ['SEQUENCE', revision && String(revision.version)],
    allDay ? ['DTSTART;VALUE=DATE', formatDay(startsAt)] : ['DTSTART', formatUtc(startsAt)],
    allDay ? ['DTEND;VALUE=DATE', endsAt && formatDay(endsAt, 1)] : ['DTEND', endsAt && formatUtc(endsAt)],
    ['SUMMARY', escapeText(data.name ?? title)],
    ['LOCATION', data.place && escapeText(data.place)],
    ['DESCRIPTION', formatDescription(data)],
    ['URL', data.url],
  ];
  const lines = rows.filter(([, value]) => value).map(([name, value]) => `${name}:${value}`);
  const head = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//QR Profile Service//EN', 'BEGIN:VEVENT'];
  return [...head, ...lines, 'END:VEVENT', 'END:VCALENDAR'].join('\r\n');
}

function formatDescription(data: Event): string | undefined {
  const lines = [data.description, data.organizer].filter((part) => part !== undefined);
  return lines.length > 0 ? escapeText(lines.join('\n')) : undefined;
}

function isInCalendar(moment: string): boolean {
  const year = new Date(moment).getUTCFullYear();
  return year >= 1900 && year <= 2200;
}

function formatUtc(moment: string | Date): string {
  return new Date(moment).toISOString().replace(/\.\d{3}|[-:]/g, '');
}

/** RFC 5545, in the offset of the timestamp; an end date is exclusive. */
function formatDay(moment: string, laterDays = 0): string {
  const at = Date.parse(`${moment.slice(0, 10)}T00:00:00Z`) + laterDays * DAY_MS;
  return new Date(at).toISOString().slice(0, 10).replaceAll('-', '');
}

function escapeText(value: string): string {
  return value.replace(/[\\;,]/g, '\\$&').replace(/\n/g, '\\n');
}

function createDateTimeField(title: string, description: string) {
  return Type.String({
    title,
    description: `${description} ISO 8601 with the offset from UTC, such as 2027-06-12T18:00:00+02:00.`,
    format: 'date-time',
    maxLength: 40,
  });
}
