import './world.js';
