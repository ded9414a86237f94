import sharp from 'sharp';

sharp.cache(false);
sharp.concurrency(1);
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: [
    'VipsForeignLoadJpeg',
    'VipsForeignLoadPng',
    'VipsForeignLoadWebp',
    'VipsForeignLoadTiff',
    'VipsForeignLoadNsgif',
    'VipsForeignLoadHeif',
  ],
});

/** sharp, which reads these kinds and no others, and keeps nothing in memory. */
export { sharp };
