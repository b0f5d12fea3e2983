import type { Catalogue } from '../catalogue.ts';

export const shares: Catalogue['shares'] = {
  title: 'Ein Dokument für Sie',
  text: 'Jemand hat dieses Dokument mit Ihnen geteilt und sieht, wann es geöffnet wird.',
  passcodeText: 'Geben Sie den Zugangscode ein, den Sie dafür erhalten haben.',
  passcode: 'Zugangscode',
  passcodeWrong: 'Der Zugangscode ist falsch.',
  passcodeBusy:
    'Gerade geben andere den Zugangscode ein. Warten Sie einige Sekunden und versuchen Sie es dann noch einmal.',
  views: { one: 'Es kann noch einmal geöffnet werden.', other: 'Es kann noch {count}-mal geöffnet werden.' },
  until: 'Es kann bis {time} geöffnet werden.',
  openedTitle: 'Das Dokument wird gespeichert',
  openedText:
    'Sie finden es bei Ihren Downloads. Ist es nicht dort, drücken Sie auf die Schaltfläche. Sie funktioniert einige Minuten lang.',
  stale: 'Diese Seite war lange geöffnet. Bitte drücken Sie noch einmal auf die Schaltfläche.',
  goneText: 'Diesen Link gibt es nicht, oder er wurde beendet. Prüfen Sie, ob Sie den ganzen Link haben.',
  expiredTitle: 'Dieser Link ist abgelaufen',
  expiredText: 'Er öffnet nichts mehr. Bitten Sie die Person, die ihn geschickt hat, um einen neuen.',
  usedTitle: 'Dieser Link ist aufgebraucht',
  usedText:
    'Er konnte nur eine bestimmte Zahl von Malen geöffnet werden. Bitten Sie die Person, die ihn geschickt hat, um einen neuen.',
  pasteTitle: 'Ein geteiltes Dokument öffnen',
  pasteText: 'Fügen Sie den ganzen Link ein, den Sie erhalten haben.',
  pasteLabel: 'Link',
  pasteButton: 'Weiter',
  sectionTitle: 'Dokumente zum Öffnen',
  unnamed: 'Ein Dokument',
};
