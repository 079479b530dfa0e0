// Preloaded (LD_PRELOAD) beside the simulator: simulated ranks have a core each, whatever this machine has. The library
// asks the operating system, and would believe that all ranks share the cores of the machine that simulates.
extern "C" int get_nprocs() { return 1024; }
