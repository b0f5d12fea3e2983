import type { Catalogue } from '../catalogue.ts';

export const shares: Catalogue['shares'] = {
  title: 'Een document voor u',
  text: 'Iemand heeft dit document met u gedeeld en ziet wanneer het wordt geopend.',
  passcodeText: 'Voer de toegangscode in die u hebt gekregen.',
  passcode: 'Toegangscode',
  passcodeWrong: 'De toegangscode klopt niet.',
  passcodeBusy:
    'Op dit moment voeren ook anderen de toegangscode in. Wacht een paar seconden en probeer het opnieuw.',
  views: { one: 'Het kan nog één keer worden geopend.', other: 'Het kan nog {count} keer worden geopend.' },
  until: 'Het kan tot {time} worden geopend.',
  openedTitle: 'Het document wordt opgeslagen',
  openedText:
    'U vindt het bij uw downloads. Staat het daar niet, druk dan op de knop. Die werkt een paar minuten.',
  stale: 'Deze pagina stond lang open. Druk nog een keer op de knop.',
  goneText: 'Deze link bestaat niet of is beëindigd. Controleer of u de hele link hebt.',
  expiredTitle: 'Deze link is verlopen',
  expiredText: 'Hij opent niets meer. Vraag de afzender om een nieuwe.',
  usedTitle: 'Deze link is opgebruikt',
  usedText: 'Hij kon maar een beperkt aantal keren worden geopend. Vraag de afzender om een nieuwe.',
  pasteTitle: 'Een gedeeld document openen',
  pasteText: 'Plak de hele link die u hebt gekregen.',
  pasteLabel: 'Link',
  pasteButton: 'Verder',
  sectionTitle: 'Documenten om te openen',
  unnamed: 'Een document',
};
