/** Makes what a language needs once: making a format takes far longer than using it. */
function onceEach<Format>(make: (tag: string) => Format): (tag: string) => Format {
  const made = new Map<string, Format>();
  return (tag) => {
    const format = made.get(tag) ?? make(tag);
    made.set(tag, format);
    return format;
  };
}

/** How numbers, days, moments and the names of countries and languages are written in each language of the service. */
export const FORMATS = {
  number: onceEach((tag) => new Intl.NumberFormat(tag, { maximumFractionDigits: 7 })),
  day: onceEach((tag) => new Intl.DateTimeFormat(tag, { dateStyle: 'long', timeZone: 'UTC' })),
  moment: onceEach(
    (tag) => new Intl.DateTimeFormat(tag, { dateStyle: 'full', timeStyle: 'short', timeZone: 'UTC' }),
  ),
  country: onceEach((tag) => new Intl.DisplayNames(tag, { type: 'region' })),
  language: onceEach((tag) => new Intl.DisplayNames(tag, { type: 'language' })),
};
