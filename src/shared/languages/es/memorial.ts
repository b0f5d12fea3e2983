import type { Catalogue } from '../catalogue.ts';

export const memorial: Catalogue['memorial'] = {
  born: 'Nacimiento',
  died: 'Fallecimiento',
  storyTitle: 'La historia de una vida',
  storyMore: 'Leer toda la historia',
  storyPart: 'Parte {part} de {count}',
  storyNext: 'Seguir leyendo',
  storyBefore: 'Parte anterior',
  backToPage: 'Volver a la página',
  placesTitle: 'Lugares',
  placeKinds: {
    BIRTH: 'Lugar de nacimiento',
    HOME: 'Hogar',
    DEATH: 'Lugar de fallecimiento',
    GRAVE: 'Lugar de descanso',
  },
  guestBookTitle: 'Libro de visitas',
  guestBookMore: 'Todas las entradas',
  guestBookOlder: 'Entradas más antiguas',
  guestBookNameless: 'Alguien que estuvo aquí',
  signTitle: 'Escribir en el libro de visitas',
  signText: 'La familia lee primero lo que usted escribe. Si está de acuerdo, podrá leerlo quien venga aquí.',
  signLabel: 'Su mensaje',
  signEmpty: 'Escriba algo, por favor. Todavía no se ha enviado nada.',
  signClosed: 'No se ha enviado nada. Este libro de visitas no admite entradas.',
  signDone: 'Gracias. Su mensaje podrá leerse aquí cuando la familia esté de acuerdo.',
};
