// Stands for `semver`: Fastify imports its 47 files, a twentieth of a start, for plugins that say which versions they
// fit. There are none here, and with one the start would fail at once.
