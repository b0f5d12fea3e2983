export const returns = {
  paid: {
    title: 'Gracias',
    text: 'Su pago se está confirmando, tarda un momento. Le avisaremos en cuanto su plan esté listo. Puede cerrar esta página.',
  },
  left: {
    title: 'No se ha comprado nada',
    text: 'Ha salido de la página sin pagar y no se ha cobrado nada. Puede cerrar esta página.',
  },
  changed: {
    title: 'Ha vuelto',
    text: 'Sus cambios se han guardado. Puede cerrar esta página.',
  },
};
