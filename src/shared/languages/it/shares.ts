import type { Catalogue } from '../catalogue.ts';

export const shares: Catalogue['shares'] = {
  title: 'Un documento per lei',
  text: 'Qualcuno ha condiviso questo documento con lei e vede quando viene aperto.',
  passcodeText: 'Inserisca il codice di accesso che ha ricevuto.',
  passcode: 'Codice di accesso',
  passcodeWrong: 'Il codice di accesso è sbagliato.',
  passcodeBusy:
    'Altre persone stanno inserendo il codice di accesso in questo momento. Attenda qualche secondo e riprovi.',
  views: { one: 'Si può aprire ancora una volta.', other: 'Si può aprire ancora {count} volte.' },
  until: 'Si può aprire fino al {time}.',
  openedTitle: 'Il documento viene salvato',
  openedText: 'Lo trova tra i suoi download. Se non c’è, prema il pulsante. Funziona per alcuni minuti.',
  stale: 'Questa pagina è rimasta aperta a lungo. Prema di nuovo il pulsante.',
  goneText: 'Questo link non esiste o è stato disattivato. Controlli di avere il link completo.',
  expiredTitle: 'Questo link è scaduto',
  expiredText: 'Non apre più nulla. Ne chieda uno nuovo a chi gliel’ha inviato.',
  usedTitle: 'Questo link è esaurito',
  usedText: 'Si poteva aprire solo un numero limitato di volte. Ne chieda uno nuovo a chi gliel’ha inviato.',
  pasteTitle: 'Apri un documento condiviso',
  pasteText: 'Incolli per intero il link che ha ricevuto.',
  pasteLabel: 'Link',
  pasteButton: 'Continua',
  sectionTitle: 'Documenti da aprire',
  unnamed: 'Un documento',
};
