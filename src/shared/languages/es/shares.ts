import type { Catalogue } from '../catalogue.ts';

export const shares: Catalogue['shares'] = {
  title: 'Un documento para usted',
  text: 'Alguien ha compartido este documento con usted y ve cuándo se abre.',
  passcodeText: 'Introduzca el código de acceso que le han dado.',
  passcode: 'Código de acceso',
  passcodeWrong: 'El código de acceso es incorrecto.',
  passcodeBusy:
    'Otras personas están introduciendo el código de acceso en este momento. Espere unos segundos e inténtelo de nuevo.',
  views: { one: 'Se puede abrir una vez más.', other: 'Se puede abrir {count} veces más.' },
  until: 'Se puede abrir hasta el {time}.',
  openedTitle: 'El documento se está guardando',
  openedText: 'Búsquelo entre sus descargas. Si no está ahí, pulse el botón. Funciona durante unos minutos.',
  stale: 'Esta página llevaba mucho tiempo abierta. Pulse el botón otra vez.',
  goneText: 'Este enlace no existe o se ha desactivado. Compruebe que tiene el enlace completo.',
  expiredTitle: 'Este enlace ha caducado',
  expiredText: 'Ya no abre nada. Pida uno nuevo a quien se lo envió.',
  usedTitle: 'Este enlace está agotado',
  usedText: 'Solo se podía abrir un número limitado de veces. Pida uno nuevo a quien se lo envió.',
  pasteTitle: 'Abrir un documento compartido',
  pasteText: 'Pegue el enlace completo que ha recibido.',
  pasteLabel: 'Enlace',
  pasteButton: 'Continuar',
  sectionTitle: 'Documentos para abrir',
  unnamed: 'Un documento',
};
