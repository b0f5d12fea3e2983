/** What the pages say on which people come back from those of the payment provider. */
export const returns = {
  paid: {
    title: 'Thank you',
    text: 'Your payment is being confirmed, which takes a moment. You will hear from us as soon as your package is ready. You can close this page.',
  },
  left: {
    title: 'Nothing was bought',
    text: 'You left the page without paying, and nothing was charged. You can close this page.',
  },
  changed: {
    title: 'You are back',
    text: 'What you changed is saved. You can close this page.',
  },
} as const;
