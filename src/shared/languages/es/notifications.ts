/** What people are told of: `title` in lists and pushes, `body` below it. */
export const notifications = {
  QR_CODE_SCANNED: { title: 'Se ha escaneado «{code}»', body: 'Se ha escaneado su código «{code}».' },
  QR_CODE_SCANNED_NEAR: {
    title: 'Se ha escaneado «{code}»',
    body: 'Se ha escaneado su código «{code}» cerca de {place}.',
  },
  LOST_CODE_SCANNED: {
    title: 'Perdido: se ha escaneado «{code}»',
    body: 'Se ha escaneado su código «{code}».',
  },
  LOST_CODE_SCANNED_NEAR: {
    title: 'Perdido: se ha escaneado «{code}»',
    body: 'Se ha escaneado su código «{code}» cerca de {place}.',
  },
  SCAN_LOCATED: {
    title: 'Ubicación de «{code}»',
    body: 'Quien escaneó su código «{code}» ha indicado dónde está.',
  },
  SCAN_LOCATED_NEAR: {
    title: 'Ubicación de «{code}»',
    body: 'Quien escaneó su código «{code}» ha indicado dónde está: cerca de {place}.',
  },
  MESSAGE_RECEIVED: {
    title: 'Mensaje sobre «{code}»',
    body: 'Quien escaneó su código «{code}» le ha escrito.',
  },
  PIN_REJECTED: {
    title: 'PIN incorrectos para «{code}»',
    body: 'Alguien ha introducido PIN incorrectos para su código «{code}». Lo que protege el PIN no se ha mostrado.',
  },
  GUEST_BOOK_SIGNED: {
    title: 'Un mensaje en el libro de visitas de {remembered}',
    body: 'Alguien escribió en el libro de visitas de {remembered}. El mensaje se mostrará allí cuando usted lo apruebe.',
  },
  CARETAKER_NAMED: {
    title: 'Puede ayudar con una placa conmemorativa',
    body: 'Alguien le permite ayudar con una placa conmemorativa: con los textos, las imágenes y el libro de visitas. Está en su lista de placas de otras personas.',
  },
  BIRTH_ANNIVERSARY: {
    title: '{remembered}: un cumpleaños para recordar',
    body: 'Fecha de nacimiento de {remembered}: {date}.',
  },
  DEATH_ANNIVERSARY: {
    title: '{remembered}: un día de recuerdo',
    body: 'Fecha de fallecimiento de {remembered}: {date}.',
  },
  CODE_EXPIRING: {
    title: '«{code}» caduca pronto',
    body: 'Su código «{code}» caduca el {date}. Después ya no mostrará nada.',
  },
  CODE_EXPIRED: {
    title: '«{code}» ha caducado',
    body: 'Su código «{code}» ha caducado y ya no muestra nada.',
  },
  DOCUMENT_INFECTED: {
    title: 'Se ha eliminado un archivo de «{document}»',
    body: 'Se ha encontrado software malicioso en un archivo de su documento «{document}» y el archivo se ha eliminado. Revise el dispositivo del que procede.',
  },
  DOCUMENT_EXPIRING: {
    title: '«{document}» caduca pronto',
    body: 'Su documento «{document}» es válido hasta el {date}.',
  },
  DOCUMENT_EXPIRED: {
    title: '«{document}» caduca el {date}',
    body: 'Su documento «{document}» es válido hasta el {date}.',
  },
  DOCUMENT_OPENED: {
    title: 'Se ha abierto «{document}»',
    body: 'Alguien ha abierto su documento «{document}». La lista de lecturas del documento indica cómo.',
  },
  DOCUMENT_GIVEN: {
    title: 'Ha recibido un documento para leer',
    body: 'Alguien le ha dado un documento para leer. Está en su lista de documentos de otras personas.',
  },
  PASSCODE_REJECTED: {
    title: 'Códigos de acceso incorrectos para «{document}»',
    body: 'Alguien ha introducido códigos de acceso incorrectos en un enlace a su documento «{document}». No se ha abierto.',
  },
  SCANS_DIGEST: {
    title: { one: 'Un escaneo de sus códigos', other: '{count} escaneos de sus códigos' },
    body: 'Desde el {time}: {codes}.',
  },
  SUBSCRIPTION_STARTED: {
    title: 'Su suscripción ha comenzado',
    body: 'Ahora tiene el plan «{package}». Gracias.',
  },
  SUBSCRIPTION_CHANGED: {
    title: 'Su suscripción se ha cambiado',
    body: 'Ahora tiene el plan «{package}».',
  },
  SUBSCRIPTION_ENDING: {
    title: 'Su suscripción termina el {date}',
    body: 'El plan «{package}» termina con el periodo pagado; hasta entonces aún puede conservarlo. Sus códigos siguen funcionando en cualquier caso.',
  },
  SUBSCRIPTION_ENDED: {
    title: 'Su suscripción ha terminado',
    body: 'El plan «{package}» ha terminado. Los códigos impresos siguen funcionando; lo que excede el plan gratuito solo se puede leer a partir de ahora.',
  },
  SUBSCRIPTION_PAUSED: {
    title: 'Su suscripción está en pausa',
    body: 'El plan «{package}» está en pausa. Los códigos impresos siguen funcionando.',
  },
  SUBSCRIPTION_RESUMED: {
    title: 'Su suscripción continúa',
    body: 'Vuelve a tener el plan «{package}».',
  },
  TRIAL_ENDING: {
    title: 'Su periodo de prueba termina el {date}',
    body: 'A partir de entonces se cobrará el plan «{package}», salvo que lo cancele antes.',
  },
  PAYMENT_RECEIVED: {
    title: 'Hemos recibido su pago de {amount}',
    body: 'Gracias. Ha pagado {amount} por «{package}», {period}. Todas sus facturas están en su cuenta, en «Suscripción».',
  },
  PAYMENT_FAILED: {
    title: 'Su pago de {amount} ha fallado',
    body: 'No hemos podido cobrar {amount} por «{package}». Revise su forma de pago en su cuenta, en «Suscripción». Los códigos impresos siguen funcionando.',
  },
  PAYMENT_ACTION_NEEDED: {
    title: 'Confirme un pago de {amount}',
    body: 'Su banco le pide que confirme el pago de {amount} por «{package}». Abra la factura en su cuenta, en «Suscripción».',
  },
  PAYMENT_REFUNDED: {
    title: 'Devolución de {amount}',
    body: 'Le hemos devuelto {amount} por «{package}». Pueden pasar unos días hasta que lo vea en su cuenta bancaria.',
  },
  PAYMENT_DISPUTED: {
    title: 'Se ha impugnado un pago de {amount}',
    body: 'Su banco reclama la devolución de {amount} por «{package}». Si se trata de un error, avise a su banco.',
  },
  SCANS_DIGEST_NEAR: {
    title: { one: 'Un escaneo de sus códigos', other: '{count} escaneos de sus códigos' },
    body: 'Desde el {time}: {codes}. Último lugar: cerca de {place}.',
  },
  NEW_LOGIN: {
    title: 'Nuevo inicio de sesión',
    body: 'Alguien ha iniciado sesión en su cuenta. Si no ha sido usted, cambie su contraseña y cierre la sesión.',
  },
  PASSWORD_CHANGED: {
    title: 'Su contraseña se ha cambiado',
    body: 'Se han cerrado todas las demás sesiones. Si no ha sido usted, pida de inmediato una contraseña nueva.',
  },
  SECOND_FACTOR_ON: {
    title: 'Segundo factor activado',
    body: 'Se han cerrado todas las demás sesiones. Si no ha sido usted, cambie su contraseña.',
  },
  SECOND_FACTOR_OFF: {
    title: 'Segundo factor desactivado',
    body: 'Se han cerrado todas las demás sesiones. Si no ha sido usted, cambie su contraseña.',
  },
  ROLE_CHANGED: {
    title: 'Su rol ha cambiado',
    body: 'Un administrador ha cambiado su rol. Su nuevo rol: {role}.',
  },
  GLASS_BROKEN: {
    title: 'Un administrador ha abierto uno de sus registros',
    body: 'Se puede leer durante un cuarto de hora, por una emergencia declarada. Su lista de auditoría indica quién ha leído qué.',
  },
};
