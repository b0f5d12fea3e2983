/** The pages of codes, for whoever scans one; `{name}` stands for a value. */
export const finder = {
  cardTitle: 'Un código para quien lo encuentre',
  cardText: 'Ábralo para ver lo que le dice el propietario y para escribirle.',
  languages: 'Otros idiomas',
  pageTitle: '{kind}: lo que le dice el propietario',
  nothingPublic: 'El propietario no muestra nada públicamente.',
  shortened: 'Parte del contenido es demasiado larga para esta página y no se muestra.',
  yes: 'Sí',
  no: 'No',

  lostTitle: 'Se ha perdido',
  lostText: 'El propietario lo está buscando. Gracias por ayudar.',
  reward: 'Recompensa: {reward}',

  onwardText: 'Este código lleva a {host}.',
  onwardLink: 'Ir a {host}',
  mapLink: 'Ver en el mapa',

  call: 'Llamar a {name}',
  wifiText: 'Para conectar otro teléfono a la red, escanee este código con él:',

  pinTitle: 'Más con un PIN',
  pinText: 'Quien tiene el PIN puede ver más información.',
  pinLabel: 'PIN, de 4 a 12 cifras',
  pinButton: 'Ver más',
  pinWrong: 'El PIN es incorrecto.',
  pinTries: { one: 'Queda un intento.', other: 'Quedan {count} intentos.' },
  pinShape: 'Un PIN tiene de 4 a 12 cifras.',
  pinNoTries: 'No quedan intentos.',
  pinTooMany: 'Demasiados intentos.',
  pinBusy:
    'Otras personas están introduciendo el PIN en este momento. Espere unos segundos e inténtelo de nuevo.',
  waitMinutes: {
    one: 'Espere un minuto e inténtelo de nuevo.',
    other: 'Espere {count} minutos e inténtelo de nuevo.',
  },
  waitHours: {
    one: 'Espere una hora e inténtelo de nuevo.',
    other: 'Espere {count} horas e inténtelo de nuevo.',
  },
  pinStale: 'Esta página llevaba mucho tiempo abierta. Introduzca el PIN otra vez.',
  pinLater:
    'Ha abierto esta página muchas veces. Espere un minuto y vuelva a abrirla para introducir el PIN.',

  shareTitle: 'Indicar dónde está usted',
  shareText: 'El propietario ve exactamente lo que indique aquí. Nadie más lo ve.',
  shareLabel: 'Un lugar con sus propias palabras, o un enlace del mapa de su teléfono',
  shareButton: 'Enviar este lugar',
  sharePosition: 'Usar la ubicación de este teléfono',
  sharePositionFailed: 'No se puede obtener la ubicación de este teléfono. Escriba el lugar.',
  shareEmpty: 'Escriba un lugar o pegue el enlace de un mapa.',
  shareDone: 'Gracias. El propietario ya ve dónde está usted.',
  shareTooMany: 'Ha indicado muchos lugares. El propietario los ha recibido todos.',

  unclaimedTitle: 'Este código todavía está libre',
  unclaimedText: 'Este código todavía no contiene nada.',

  unknownTitle: 'Aquí no hay nada',
  unknownText:
    'Este código no existe o se ha eliminado. Compruebe la dirección o escanee el código otra vez.',
  pausedTitle: 'Desactivado por ahora',
  pausedText:
    'El propietario de este código lo ha desactivado. Es posible que vuelva a funcionar más adelante.',
  expiredTitle: 'Este código ha caducado',
  expiredText: 'El propietario ha dejado que este código caduque. Ya no muestra nada.',
  closedWrite: 'Aun así, puede escribir al propietario.',
  limitedTitle: 'Demasiadas solicitudes',
  limitedText: 'Espere un minuto e inténtelo de nuevo.',
  refusedTitle: 'No ha funcionado',
  refusedText: 'Los datos enviados no se pueden leer. Escanee el código otra vez.',
  failedTitle: 'No disponible en este momento',
  failedText: 'No es culpa suya. Inténtelo de nuevo dentro de un momento.',
  testLinkTitle: 'Este enlace ya se ha usado o ha caducado',
  testLinkText: 'Un enlace de prueba funciona una sola vez y por poco tiempo. Cree uno nuevo.',
};
