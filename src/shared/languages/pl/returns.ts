export const returns = {
  paid: {
    title: 'Dziękujemy',
    text: 'Twoja płatność jest potwierdzana, to chwilę potrwa. Damy znać, gdy tylko pakiet będzie gotowy. Możesz zamknąć tę stronę.',
  },
  left: {
    title: 'Niczego nie kupiono',
    text: 'Strona została opuszczona bez płatności i niczego nie pobrano. Możesz zamknąć tę stronę.',
  },
  changed: {
    title: 'Gotowe',
    text: 'Zmiany zostały zapisane. Możesz zamknąć tę stronę.',
  },
};
