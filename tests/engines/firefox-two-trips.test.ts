import { twoTripsWithTheSong } from './evenings.ts';
import { firefox } from './support/firefox.ts';

twoTripsWithTheSong(firefox);
