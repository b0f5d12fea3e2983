export const returns = {
  paid: {
    title: 'Vielen Dank',
    text: 'Ihre Zahlung wird bestätigt, das dauert einen Moment. Sie hören von uns, sobald Ihr Paket bereit ist. Sie können diese Seite schließen.',
  },
  left: {
    title: 'Es wurde nichts gekauft',
    text: 'Sie haben die Seite verlassen, ohne zu bezahlen; es wurde nichts abgebucht. Sie können diese Seite schließen.',
  },
  changed: {
    title: 'Sie sind zurück',
    text: 'Ihre Änderungen sind gespeichert. Sie können diese Seite schließen.',
  },
};
