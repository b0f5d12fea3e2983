import type { Catalogue } from '../catalogue.ts';

/** Mails: their subject, and one paragraph a line. Times are put in as the reader's language writes them, in UTC. */
export const mails: Catalogue['mails'] = {
  OTP: {
    subject: '{otp} es su código de confirmación',
    lines: [
      'Su código de confirmación: {otp}',
      'Es para el registro del {time}, con la contraseña elegida entonces. Funciona una sola vez, durante {minutes} minutos.',
      'Si no se registró en ese momento, ignore este correo y no dé el código a nadie: quien lo tenga puede abrir una cuenta con su dirección.',
    ],
  },
  OTP_CHOICE: {
    subject: '{codes} es su código de confirmación: elija',
    or: '{one} o {other}',
    choice: '{otp} para el registro del {time}',
    lines: [
      'Esta dirección se registró varias veces, con contraseñas distintas. Introduzca el código de su propio registro, que reconocerá por la hora:',
      'El código que introduzca decide qué contraseña abre la cuenta. Funciona una sola vez, durante {minutes} minutos.',
      'Si un registro no es suyo, no introduzca su código ni se lo dé a nadie: quien se registró conocería la contraseña. Si ninguno es suyo, ignore este correo.',
    ],
  },
  ALREADY_REGISTERED: {
    subject: 'Ya tiene una cuenta',
    lines: [
      'Alguien, quizá usted, ha intentado registrar esta dirección. Ya tiene una cuenta; no se ha cambiado nada.',
      'Si ha olvidado su contraseña, pida una nueva en la página de inicio de sesión.',
    ],
  },
  PASSWORD_RESET: {
    subject: 'Elija una contraseña nueva',
    lines: [
      'Alguien, quizá usted, ha pedido una contraseña nueva para esta dirección. Siga este enlace para elegirla:',
      '{link}',
      'Funciona una sola vez, durante {minutes} minutos. Si no ha sido usted, ignore este correo; su contraseña no cambia.',
    ],
  },
  PASSWORD_RESET_DONE: {
    subject: 'Su contraseña se ha sustituido',
    lines: [
      'Su contraseña se ha sustituido mediante un enlace enviado a esta dirección y se han cerrado todas las sesiones.',
      'Si no ha sido usted, pida de inmediato una contraseña nueva.',
    ],
  },
  PASSWORD_CHANGED: {
    subject: 'Su contraseña se ha cambiado',
    lines: [
      'Su contraseña se ha cambiado y se han cerrado todas las demás sesiones.',
      'Si no ha sido usted, pida de inmediato una contraseña nueva.',
    ],
  },
  SESSION_ENDED_BY_REUSE: {
    subject: 'Se ha cerrado una sesión por su seguridad',
    lines: [
      'Un token de una de sus sesiones se ha usado por segunda vez, lo que ocurre cuando alguien lo ha copiado. La sesión se ha cerrado.',
      'Vuelva a iniciar sesión. Si no sabe con certeza quién tiene acceso a sus dispositivos, cambie su contraseña.',
    ],
  },
  GLASS_BROKEN: {
    subject: 'Un administrador ha abierto uno de sus registros',
    lines: [
      'El {time}, un administrador de este servicio declaró una emergencia y puede leer uno de sus registros durante {minutes} minutos.',
      'Inicie sesión para ver cuál: sus notificaciones lo indican, y su lista de auditoría dice cuándo se ha leído. El motivo se conserva para los auditores.',
      'Si no lo esperaba, consulte al operador del servicio.',
    ],
  },
  IDENTITY_LINKED: {
    subject: 'Su cuenta está ahora vinculada a un proveedor de identidad',
    lines: [
      'Alguien ha iniciado sesión en {provider} con esta dirección, que ese proveedor ha verificado, y ha entrado en su cuenta. A partir de ahora, ese inicio de sesión la abre.',
      'Si no ha sido usted, proteja su cuenta en ese proveedor, quite la identidad de su cuenta y cambie su contraseña.',
    ],
  },
  IDENTITY_UNLINKED: {
    subject: 'Se ha quitado un proveedor de identidad de su cuenta',
    lines: [
      'El inicio de sesión en {provider} ya no abre su cuenta, y se han cerrado todas las demás sesiones.',
      'Si no ha sido usted, pida de inmediato una contraseña nueva.',
    ],
  },
  SECOND_FACTOR_ON: {
    subject: 'Se ha activado un segundo factor',
    lines: [
      'A partir de ahora se necesita un código de su aplicación de autenticación para iniciar sesión. Se han cerrado todas las demás sesiones.',
      'Guarde los códigos de recuperación donde los encuentre sin su teléfono: cada uno abre la cuenta una vez.',
      'Si no ha sido usted, pida de inmediato una contraseña nueva y escriba al operador del servicio.',
    ],
  },
  SECOND_FACTOR_OFF: {
    subject: 'Su segundo factor se ha desactivado',
    lines: [
      'A partir de ahora basta la contraseña para abrir su cuenta. Se han cerrado todas las demás sesiones.',
      'Si no ha sido usted, pida de inmediato una contraseña nueva y vuelva a activar el segundo factor.',
    ],
  },
  SECOND_FACTOR_REMOVED: {
    subject: 'Un administrador ha quitado el segundo factor de su cuenta',
    lines: [
      'A partir de ahora basta la contraseña para abrir su cuenta, hasta que vuelva a configurar un segundo factor. Se han cerrado todas las sesiones.',
      'Si no lo ha pedido usted, pida de inmediato una contraseña nueva y escriba al operador del servicio.',
    ],
  },
  RECOVERY_CODES_RENEWED: {
    subject: 'Tiene nuevos códigos de recuperación',
    lines: [
      'Se han creado nuevos códigos de recuperación para su cuenta; los anteriores ya no valen.',
      'Si no ha sido usted, pida de inmediato una contraseña nueva.',
    ],
  },
  RECOVERY_CODE_USED: {
    subject: 'Inicio de sesión con un código de recuperación',
    lines: [
      'Alguien ha iniciado sesión en su cuenta con uno de sus códigos de recuperación. Códigos restantes: {left}.',
      'Si no ha sido usted, pida de inmediato una contraseña nueva y cree después nuevos códigos de recuperación.',
    ],
  },
  ENTERPRISE_MODE_ON: {
    subject: 'Su cuenta está ahora en modo empresa',
    lines: [
      'A partir de ahora rigen reglas más estrictas para su cuenta: se necesita un segundo factor y las sesiones son más cortas.',
      'Si todavía no tiene un segundo factor, se le pedirá que configure uno antes que nada.',
    ],
  },
  ENTERPRISE_MODE_OFF: {
    subject: 'Su cuenta ya no está en modo empresa',
    lines: [
      'Las reglas más estrictas ya no rigen para su cuenta. Si tiene un segundo factor, sigue activo hasta que lo desactive.',
      'Si no lo esperaba, escriba al operador del servicio.',
    ],
  },
  NEW_DEVICE_LOGIN: {
    subject: 'Inicio de sesión desde un dispositivo nuevo',
    lines: [
      'Alguien, quizá usted, ha iniciado sesión en su cuenta desde un dispositivo y una red que no se habían usado antes: {agent}, red {network}, {time}.',
      'Si no ha sido usted, elija de inmediato una contraseña nueva: así se cierran todas las sesiones.',
    ],
  },
  DATA_EXPORTED: {
    subject: 'Se ha creado una copia de sus datos',
    lines: [
      'Se ha creado un archivo con todos sus datos y se ha descargado desde su cuenta.',
      'Si no ha sido usted, cambie de inmediato su contraseña.',
    ],
  },
  DATA_EXPORT_READY: {
    subject: 'Se ha creado una copia de sus datos',
    lines: [
      'El archivo con sus datos que pidió está listo. Inicie sesión y descárguelo antes del {time}; después se eliminará.',
      'Si no ha sido usted, cambie de inmediato su contraseña.',
    ],
  },
  ACCOUNT_ERASED: {
    subject: 'Su cuenta se ha eliminado',
    lines: [
      'Su cuenta se ha eliminado, tal como pidió: ya nadie puede iniciar sesión y sus códigos no muestran nada. Las imágenes y los demás archivos se están eliminando.',
      'Esto no se puede deshacer. Su dirección queda libre para una cuenta nueva. Este es el último correo que recibe de nosotros.',
    ],
  },
  NOTIFICATION: {
    open: 'Para ver más, inicie sesión.',
    answer: 'Leer y responder sin iniciar sesión:',
    when: 'Hora: {time}',
    page: 'La página del código, tal como la ven los demás; abierta con este enlace no cuenta como escaneo:',
    more: 'Vea más aquí:',
    unsubscribe: 'No recibir más correos de este tipo:',
    stopTitle: '¿No recibir más correos de este tipo?',
    stopKind: 'Correos de este tipo: {kind}.',
    kinds: {
      QR_CODE_SCANNED: 'escaneos de sus códigos',
      LOST_CODE_SCANNED: 'escaneos de un código perdido',
      SCAN_LOCATED: 'ubicaciones compartidas',
      MESSAGE_RECEIVED: 'mensajes sobre sus códigos',
      PIN_REJECTED: 'PIN incorrectos',
      GUEST_BOOK_SIGNED: 'mensajes en sus libros de visitas',
      BIRTH_ANNIVERSARY: 'cumpleaños de quienes usted recuerda',
      DEATH_ANNIVERSARY: 'aniversarios de fallecimiento',
      CODE_EXPIRING: 'códigos que caducan pronto',
      CODE_EXPIRED: 'códigos caducados',
      DOCUMENT_EXPIRING: 'documentos que caducan pronto',
      DOCUMENT_EXPIRED: 'documentos que caducan',
      ANSWER_RECEIVED: 'respuestas a su mensaje',
    },
    damagedTitle: 'Este enlace está dañado',
    damagedText:
      'Está incompleto o se ha modificado. Ábralo de nuevo desde el correo, tal como aparece allí.',
    stop: 'Dejar de recibir estos correos',
    stopped: 'Ya no recibirá correos de este tipo.',
  },
  ANSWER_RECEIVED: {
    subject: 'Una respuesta a su mensaje',
    lines: [
      'El propietario del código que usted escaneó le ha respondido. Lea la respuesta aquí:',
      '{link}',
      'El enlace es solo para usted. En su página también puede indicar que no quiere más correos.',
    ],
  },
};
