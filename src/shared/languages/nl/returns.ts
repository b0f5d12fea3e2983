export const returns = {
  paid: {
    title: 'Bedankt',
    text: 'Uw betaling wordt bevestigd, dat duurt even. U hoort van ons zodra uw pakket klaar is. U kunt deze pagina sluiten.',
  },
  left: {
    title: 'Er is niets gekocht',
    text: 'U hebt de pagina verlaten zonder te betalen en er is niets afgeschreven. U kunt deze pagina sluiten.',
  },
  changed: {
    title: 'U bent terug',
    text: 'Uw wijzigingen zijn opgeslagen. U kunt deze pagina sluiten.',
  },
};
