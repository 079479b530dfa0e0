"""The end of `weft COMMAND --help`: examples, and the meaning of the exit status."""

# Command: (arguments, what they do). The arguments follow the name of the command.
EXAMPLES: dict[str, list[tuple[str, str]]] = {
    "solve": [
        ("examples/free_space.toml -n 2 --plot", "two ranks; HDF5, XDMF and a picture in out/free_space"),
        ("case.toml -n 7 --strategy alltoallv --json", "figures as one JSON object"),
    ],
    "plot": [
        ("out/free_space/solution.h5", "the planes through the middle of the solution"),
        ("fields.h5 --dataset u/3D/12 --index 0 --out ux.png", "the first component of a vector"),
        ("modes.npy --part real", "the real parts of complex numbers"),
    ],
    "info": [("", "versions, libraries, processor"), ("--json", "the same for programs")],
    "demo": [("", "a Plummer sphere on 2 ranks"), ("-n 4 --out /tmp/demo", "on 4 ranks, in another folder")],
    "check": [
        ("-n 4", "every strategy, kind and grid on 4 ranks"),
        ("-n 2 --quick --json", "a sample, for programs"),
        ("-n 6 --shape 12 14 15 --kinds r2c --grid 2 3", "one transform on one grid"),
        ("tensor -n 8", "the tensor transforms"),
    ],
    "check tensor": [
        ("-n 8", "all variants, several sizes"),
        ("-n 8 --shape 12 30 31 --mesh 2 2 2 --matrix own", "one shape, one variant of the matrix"),
    ],
    "validate": [
        ("--quick -n 2", "a sample of all boundaries"),
        ("-n 2 --out out/validate", "all 1100 combinations; figures and a page with plots"),
        ("--quick --kernels chat2,hej4 --json -", "two kernels, figures on stdout"),
    ],
    "tune": [
        ("--shape 256 256 256 -n 2 --save tuning.toml", "plans use it with WEFT_TUNING=tuning.toml"),
        ("--shape 64 64 64 --kinds dct2 --include shared,alltoallv --budget 5", "two strategies, five seconds"),
    ],
    "explain": [
        ("--shape 64 64 64 -n 12 --chunks 4", "every step, and what goes to each peer"),
        ("--shape 128 128 128 -n 2 --run", "with the time of every step"),
    ],
    "predict": [
        ("--shape 4096 4096 4096 -n 16384 --machine juwels --strategy all", "all strategies on another machine"),
        ("--shape 256 256 256 -n 64 --boundary unbounded", "a solve in free space"),
    ],
    "calibrate": [
        ("", "all cores of this machine, for plans and predictions"),
        ("-n 4 --hosts h1,h2", "also the network between hosts, and each strategy there"),
        ("-n 2 --quick --out machine.toml", "a first impression, in a file"),
    ],
    "run-with": [
        ("--fftw mpiexec -n 4 ./program", "a program that is linked with FFTW's MPI transforms"),
        ("--flups mpiexec -n 4 ./program", "a program that is linked with the shared library of FLUPS"),
    ],
    "scaling": [("--out docs", "the page and its pictures")],
    "bench": [
        ("fft --shape 256 256 256 --kinds r2c -n 2 --peers fftw-mpi", "compared with FFTW"),
        ("page", "all benchmarks of the documentation"),
    ],
    "bench engine": [
        ("--quick", "some kinds and lengths, compared with FFTW"),
        ("--kinds c2c --lengths 64,250,1024 --plot engine.png", "three lengths, with a picture"),
    ],
    "bench fft": [
        ("--shape 256 256 256 --kinds r2c -n 2 --peers fftw-mpi", "compared with FFTW's own MPI transforms"),
        ("--shape 128 128 128 -n 2 --strategy all --json", "all ways to move data"),
    ],
    "bench exchange": [
        ("--shape 256 256 256 --complex -n 2", "one redistribution, compared with memcpy"),
        ("--axes x-z --strategy shared,alltoallv -n 2", "two strategies, with the memory order reversed"),
    ],
    "bench halo": [("--shape 256 256 256 --width 2 -n 2", "layers of width 2, compared with memcpy")],
    "bench solve": [
        ("--cells 128 128 128 -n 2 --peers padded-fftw", "free space, compared with a hand-written solve"),
        ("--cells 192 192 192 --boundary unbounded unbounded periodic", "other boundaries"),
    ],
    "bench tensor": [
        ("--shape 64 64 64 -n 2 --matrix own", "the DFT by matrices, compared with the FFT"),
        ("--predict --shape 256 256 256", "where it is faster, in closed form"),
    ],
    "bench model": [("--shape 128 128 128 -n 1,2", "measured and predicted times: run weft calibrate first")],
    "bench page": [
        ("", "writes the chart of README.md and the tables of docs"),
        ("--quick", "a test of the command with tiny sizes"),
    ],
}

STATUS = """Exit status:

\b
  0      success
  1      a check failed, an error is too large, or an unexpected error occurred
  2      the command line or a file is wrong: one line on stderr says what
  130    it was stopped (Ctrl-C)
  other  how the ranks of -n RANKS ended (128 + the number of a signal)"""


def epilog(command: str) -> str:
    """The end of a command's help."""
    lines = [(f"weft {command} {arguments}".rstrip(), says) for arguments, says in EXAMPLES[command]]
    width = max(len(line) for line, _ in lines)
    # The text follows the command if both fit on a line, else it is below.
    short = all(width + 4 + len(says) < 100 for _, says in lines)
    rows = [f"  {line:<{width}}  # {says}" if short else f"  {line}\n      # {says}" for line, says in lines]
    return "Examples:\n\n\b\n" + "\n".join(rows) + "\n\n" + STATUS


def main_epilog() -> str:
    """The end of the help of weft itself."""
    chosen = [("solve", 0), ("tune", 0), ("explain", 0), ("check", 0), ("bench", 0)]
    rows = [f"  weft {name} {EXAMPLES[name][which][0]}" for name, which in chosen]
    return "Examples:\n\n\b\n" + "\n".join(rows) + "\n\nEvery command has more: weft COMMAND --help.\n\n" + STATUS
