import type { Catalogue } from '../catalogue.ts';

export const shares: Catalogue['shares'] = {
  title: 'Dokument dla Ciebie',
  text: 'Ktoś udostępnił Ci ten dokument i widzi, kiedy jest otwierany.',
  passcodeText: 'Wpisz otrzymany kod dostępu.',
  passcode: 'Kod dostępu',
  passcodeWrong: 'Nieprawidłowy kod dostępu.',
  passcodeBusy: 'W tej chwili kod dostępu wpisują też inne osoby. Poczekaj kilka sekund i spróbuj ponownie.',
  views: {
    one: 'Można go otworzyć jeszcze raz.',
    few: 'Można go otworzyć jeszcze {count} razy.',
    many: 'Można go otworzyć jeszcze {count} razy.',
    other: 'Można go otworzyć jeszcze {count} razy.',
  },
  until: 'Można go otworzyć do: {time}.',
  openedTitle: 'Dokument jest zapisywany',
  openedText:
    'Znajdziesz go wśród pobranych plików. Jeśli go tam nie ma, naciśnij przycisk. Działa on przez kilka minut.',
  stale: 'Ta strona była długo otwarta. Naciśnij przycisk jeszcze raz.',
  goneText: 'Taki link nie istnieje albo został wyłączony. Sprawdź, czy masz cały link.',
  expiredTitle: 'Ten link wygasł',
  expiredText: 'Niczego już nie otwiera. Poproś osobę, która go wysłała, o nowy.',
  usedTitle: 'Ten link został wykorzystany',
  usedText: 'Można go było otworzyć tylko określoną liczbę razy. Poproś osobę, która go wysłała, o nowy.',
  pasteTitle: 'Otwórz udostępniony dokument',
  pasteText: 'Wklej cały otrzymany link.',
  pasteLabel: 'Link',
  pasteButton: 'Dalej',
  sectionTitle: 'Dokumenty do otwarcia',
  unnamed: 'Dokument',
};
