// Linking errors.
import { nothing } from './modules/live.mjs';
console.log(nothing);
