import type { Catalogue } from '../catalogue.ts';

export const memorial: Catalogue['memorial'] = {
  born: 'Geboren',
  died: 'Gestorben',
  storyTitle: 'Die Geschichte eines Lebens',
  storyMore: 'Die ganze Geschichte lesen',
  storyPart: 'Teil {part} von {count}',
  storyNext: 'Weiterlesen',
  storyBefore: 'Davor',
  backToPage: 'Zurück zur Seite',
  placesTitle: 'Orte',
  placeKinds: {
    BIRTH: 'Geburtsort',
    HOME: 'Zuhause',
    DEATH: 'Sterbeort',
    GRAVE: 'Letzte Ruhestätte',
  },
  pictureMissing: 'Bild {number} fehlt hier: Es war nicht lesbar, als diese Seite erstellt wurde.',
  entriesMissing: {
    one: 'Ein Eintrag fehlt hier: Er war nicht lesbar, als diese Seite erstellt wurde.',
    other: '{count} Einträge fehlen hier: Sie waren nicht lesbar, als diese Seite erstellt wurde.',
  },
  guestBookTitle: 'Gästebuch',
  guestBookMore: 'Alle Einträge',
  guestBookOlder: 'Ältere Einträge',
  guestBookNameless: 'Jemand zu Besuch',
  signTitle: 'Ins Gästebuch schreiben',
  signText:
    'Was Sie schreiben, liest zuerst die Familie. Stimmt sie zu, können es alle lesen, die hierherkommen.',
  signLabel: 'Ihr Eintrag',
  signEmpty: 'Bitte schreiben Sie etwas. Es wurde noch nichts gesendet.',
  signClosed: 'Es wurde nichts gesendet. Dieses Gästebuch nimmt keine Einträge an.',
  signDone: 'Vielen Dank. Ihr Eintrag ist hier zu lesen, sobald die Familie zustimmt.',
  withdrawKeep: 'Über diesen Link können Sie Ihren Eintrag jederzeit zurückziehen. Er ist nur für Sie.',
  withdrawText:
    'Wenn Sie Ihren Eintrag zurückziehen, wird er gelöscht und kann von niemandem mehr gelesen werden.',
  withdrawButton: 'Eintrag zurückziehen',
  withdrawDone: 'Ihr Eintrag wurde zurückgezogen und gelöscht.',
  withdrawGone: 'Diesen Eintrag gibt es nicht mehr, oder die Adresse ist unvollständig.',
};
