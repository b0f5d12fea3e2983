import type { Catalogue } from '../catalogue.ts';

export const memorial: Catalogue['memorial'] = {
  born: 'Nascita',
  died: 'Morte',
  storyTitle: 'La storia di una vita',
  storyMore: 'Leggere tutta la storia',
  storyPart: 'Parte {part} di {count}',
  storyNext: 'Continuare a leggere',
  storyBefore: 'Parte precedente',
  backToPage: 'Torna alla pagina',
  placesTitle: 'Luoghi',
  placeKinds: {
    BIRTH: 'Luogo di nascita',
    HOME: 'Casa',
    DEATH: 'Luogo di morte',
    GRAVE: 'Luogo di riposo',
  },
  pictureMissing:
    'Qui manca l’immagine {number}: non è stato possibile leggerla quando questa pagina è stata creata.',
  entriesMissing: {
    one: 'Qui manca un messaggio: non è stato possibile leggerlo quando questa pagina è stata creata.',
    other:
      'Qui mancano {count} messaggi: non è stato possibile leggerli quando questa pagina è stata creata.',
  },
  guestBookTitle: 'Libro degli ospiti',
  guestBookMore: 'Tutti i messaggi',
  guestBookOlder: 'Messaggi meno recenti',
  guestBookNameless: 'Qualcuno di passaggio',
  signTitle: 'Scrivere nel libro degli ospiti',
  signText:
    'La famiglia legge per prima ciò che lei scrive. Se è d’accordo, potrà leggerlo chiunque venga qui.',
  signLabel: 'Il suo messaggio',
  signEmpty: 'Scriva qualcosa, per favore. Non è stato ancora inviato nulla.',
  signClosed: 'Non è stato inviato nulla. Questo libro degli ospiti non accetta messaggi.',
  signDone: 'Grazie. Il suo messaggio si potrà leggere qui quando la famiglia sarà d’accordo.',
  withdrawKeep: 'Con questo link può ritirare il suo messaggio quando vuole. È solo per lei.',
  withdrawText: 'Se ritira il messaggio, questo viene eliminato e nessuno potrà più leggerlo.',
  withdrawButton: 'Ritira il messaggio',
  withdrawDone: 'Il suo messaggio è stato ritirato ed eliminato.',
  withdrawGone: 'Questo messaggio non c’è più, oppure l’indirizzo è incompleto.',
};
